// Reads every GLB file of a folder with glTF-Transform's API and writes it into another: node batch.mjs IN OUT

import { NodeIO } from '@gltf-transform/core';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const [from, to] = process.argv.slice(2);
await mkdir(to, { recursive: true });
const io = new NodeIO();
for (const name of (await readdir(from)).filter((name) => name.endsWith('.glb'))) {
  await io.write(join(to, name), await io.read(join(from, name)));
}
