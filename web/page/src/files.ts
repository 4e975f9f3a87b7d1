// The files that a visitor opens: dropped, chosen, or named by the address.

import { bytes } from "./dom.js";

/** Files by path. */
export type Opened = Map<string, Uint8Array>;

/** All that is opened at once. Reading and proving a model takes several times as much, and a tab has 4 GB. */
const MOST = 1 << 30;

interface Found {
  path: string;
  file: File;
}

/** The files of a choice. */
export function chosen(list: FileList): Found[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files of a drop, with those in folders. */
export async function dropped(data: DataTransfer): Promise<Found[]> {
  // The list is only there until the first wait.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...data.files].map((file) => ({ path: file.name, file }));
  const found: Found[] = [];
  for (const entry of entries) if (entry) await walk(entry, "", found);
  return found;
}

async function walk(entry: FileSystemEntry, folder: string, found: Found[]): Promise<void> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    found.push({ path, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return;
    for (const one of some) await walk(one, `${path}/`, found);
  }
}

/** Reads the files, unless they are too large, which is known before they are read. */
export async function read(found: Found[]): Promise<Opened> {
  const total = found.reduce((sum, { file }) => sum + file.size, 0);
  if (total > MOST) {
    const what = found.length === 1 ? `“${found[0]?.path}” has` : `These ${found.length} files have`;
    throw new Error(`${what} ${bytes(total)}. A browser can open up to ${bytes(MOST)} here; the command line takes more.`);
  }
  const opened: Opened = new Map();
  for (const { path, file } of found) opened.set(path, new Uint8Array(await file.arrayBuffer()));
  return opened;
}

/** The file that the address names with `?url=`, if it is on this server. */
export async function named(search: string): Promise<Opened | undefined> {
  const wanted = new URLSearchParams(search).get("url");
  if (wanted === null) return undefined;
  const url = new URL(wanted, location.href);
  if (url.origin !== location.origin) throw new Error(`“${wanted}” is on another server. Download the file, and drop it here.`);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`“${wanted}” cannot be loaded: ${response.status} ${response.statusText}`);
  const path = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf("/") + 1)) || "model";
  return new Map([[path, new Uint8Array(await response.arrayBuffer())]]);
}

/** Offers bytes as a download. */
export function download(name: string, data: Uint8Array | Blob): void {
  const blob = data instanceof Blob ? data : new Blob([data as BlobPart]);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
