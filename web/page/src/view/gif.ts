// An animated GIF: one palette for all pictures, and LZW.

/** Pictures of the same size, as rows of RGBA. */
export interface Pictures {
  width: number;
  height: number;
  frames: Uint8ClampedArray[];
  /** Seconds per picture. */
  seconds: number;
}

/** Colours are counted with five bits per channel. */
const key = (r: number, g: number, b: number) => ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);

interface Counted {
  key: number;
  count: number;
}

const channel = (colour: number, index: number) => (colour >> (10 - 5 * index)) & 31;

/** Up to 256 colours: the box with the most pixels times its longest side is halved, again and again. */
function palette(frames: Uint8ClampedArray[]): number[] {
  const counts = new Uint32Array(1 << 15);
  for (const frame of frames) {
    for (let i = 0; i < frame.length; i += 4) {
      const at = key(frame[i] ?? 0, frame[i + 1] ?? 0, frame[i + 2] ?? 0);
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  const all: Counted[] = [...counts.entries()].filter(([, count]) => count > 0).map(([key, count]) => ({ key, count }));
  const boxes = [all];
  const side = (box: Counted[], index: number) => {
    const values = box.map((colour) => channel(colour.key, index));
    return Math.max(...values) - Math.min(...values);
  };
  const worth = (box: Counted[]) => (box.length < 2 ? 0 : Math.max(side(box, 0), side(box, 1), side(box, 2)) * Math.sqrt(box.reduce((sum, c) => sum + c.count, 0)));
  const worths = [worth(all)];
  while (boxes.length < 256) {
    const most = worths.indexOf(Math.max(...worths));
    const box = boxes[most];
    if (!box || (worths[most] ?? 0) === 0) break;
    const sides = [side(box, 0), side(box, 1), side(box, 2)];
    const longest = sides.indexOf(Math.max(...sides));
    box.sort((a, b) => channel(a.key, longest) - channel(b.key, longest));
    const half = box.reduce((sum, c) => sum + c.count, 0) / 2;
    let [sum, cut] = [0, 0];
    while (cut < box.length - 1 && sum < half) sum += box[cut++]?.count ?? 0;
    const halves = [box.slice(0, Math.max(1, cut)), box.slice(Math.max(1, cut))];
    boxes.splice(most, 1, ...halves);
    worths.splice(most, 1, ...halves.map(worth));
  }
  return boxes.map((box) => {
    const total = box.reduce((sum, c) => sum + c.count, 0) || 1;
    const mean = (index: number) => Math.round((box.reduce((sum, c) => sum + channel(c.key, index) * c.count, 0) / total) * (255 / 31));
    return (mean(0) << 16) | (mean(1) << 8) | mean(2);
  });
}

/** Indices of a palette as LZW codes, in blocks of up to 255 bytes. */
function compress(indices: Uint8Array): number[] {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  const CLEAR = 256;
  const END = 257;
  let [width, next] = [9, 258];
  let codes = new Map<number, number>();
  const put = (code: number) => {
    held |= code << bits;
    bits += width;
    while (bits >= 8) {
      bytes.push(held & 255);
      held >>>= 8;
      bits -= 8;
    }
  };
  put(CLEAR);
  let prefix = indices[0] ?? 0;
  for (let i = 1; i < indices.length; i += 1) {
    const index = indices[i] ?? 0;
    const pair = (prefix << 8) | index;
    const known = codes.get(pair);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    codes.set(pair, next);
    // The reader is one code behind.
    if (next === 1 << width && width < 12) width += 1;
    next += 1;
    if (next === 4096) {
      put(CLEAR);
      codes = new Map();
      [width, next] = [9, 258];
    }
    prefix = index;
  }
  put(prefix);
  put(END);
  if (bits > 0) bytes.push(held & 255);
  const blocks: number[] = [];
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255);
    blocks.push(block.length, ...block);
  }
  return [...blocks, 0];
}

export function gif({ width, height, frames, seconds }: Pictures): Blob {
  const colours = palette(frames);
  const nearest = new Int16Array(1 << 15).fill(-1);
  const indexOf = (r: number, g: number, b: number) => {
    const at = key(r, g, b);
    let found = nearest[at] ?? -1;
    if (found < 0) {
      let least = Infinity;
      for (const [index, colour] of colours.entries()) {
        const far = (r - (colour >> 16)) ** 2 + (g - ((colour >> 8) & 255)) ** 2 + (b - (colour & 255)) ** 2;
        if (far < least) [least, found] = [far, index];
      }
      nearest[at] = found;
    }
    return found;
  };
  const word = (n: number) => [n & 255, n >> 8];
  const table = Array.from({ length: 256 }, (_, i) => colours[i] ?? 0).flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]);
  const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0));
  const parts: Uint8Array[] = [];
  const put = (...bytes: number[]) => parts.push(Uint8Array.from(bytes));
  put(...text("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0, ...table);
  // It plays for ever.
  put(0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  const delay = Math.max(2, Math.round(seconds * 100));
  for (const frame of frames) {
    const indices = new Uint8Array(width * height);
    for (let i = 0; i < indices.length; i += 1) indices[i] = indexOf(frame[4 * i] ?? 0, frame[4 * i + 1] ?? 0, frame[4 * i + 2] ?? 0);
    put(0x21, 0xf9, 4, 0, ...word(delay), 0, 0);
    put(0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0, 8);
    parts.push(Uint8Array.from(compress(indices)));
  }
  put(0x3b);
  return new Blob(parts as BlobPart[], { type: "image/gif" });
}
