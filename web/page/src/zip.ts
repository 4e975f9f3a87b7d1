// A zip archive of files that are stored as they are: models compress badly, and textures are compressed.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** A record of the format: numbers of two or four bytes, little-endian. */
function record(...fields: [size: 2 | 4, value: number][]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

/** 1 January 1980: the same files make the same archive. */
const DATE = 0x21;
/** Names are UTF-8. */
const FLAGS = 0x800;

export function zip(files: Record<string, Uint8Array>): Blob {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const path = new TextEncoder().encode(name);
    const common: [2 | 4, number][] = [
      [2, 20],
      [2, FLAGS],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, path.length],
      [2, 0],
    ];
    parts.push(record([4, 0x04034b50], ...common), path, bytes);
    directory.push(record([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), path);
    offset += 30 + path.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = directory.length / 2;
  const end = record([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end] as BlobPart[], { type: "application/zip" });
}
