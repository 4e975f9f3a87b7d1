// Poses glTF files with three.js, an independent engine, and prints vertices of each mesh placement as JSON.
//   cd tools/oracle && npm install && node pose.mjs FILE.glb STEP TIMES_PER_CLIP > FILE.oracle.json
// STEP keeps every STEP-th vertex. The results are committed, so that tests need no Node for this.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

globalThis.self = globalThis;
globalThis.ProgressEvent ??= class extends Event {};
// Images do not matter for posing.
const noImages = (parser) => ({ name: 'no-images', loadTexture: () => Promise.resolve(new THREE.Texture()) });

const [file, step, count] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const bytes = readFileSync(file);
const loader = new GLTFLoader();
loader.register(noImages);
// The loader fetches side files by URL; here they are inlined as data.
function inlined(text) {
  const json = JSON.parse(text);
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri && !buffer.uri.startsWith('data:')) {
      const side = readFileSync(join(dirname(file), buffer.uri));
      buffer.uri = `data:application/octet-stream;base64,${side.toString('base64')}`;
    }
  }
  return JSON.stringify(json);
}
const data = file.endsWith('.gltf') ? inlined(bytes.toString('utf8')) : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const gltf = await new Promise((done, failed) => loader.parse(data, '', done, failed));

// The name in the file; the loader makes names unique. Each part of a mesh with several parts is a child object.
function nodeName(object) {
  const index = gltf.parser.associations.get(object)?.nodes ?? gltf.parser.associations.get(object.parent)?.nodes;
  return gltf.parser.json.nodes[index].name ?? '';
}

const round = (v) => Number(v.toPrecision(8));
function vertices() {
  gltf.scene.updateMatrixWorld(true);
  const meshes = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    object.skeleton?.update();
    const points = [];
    for (let i = 0; i < object.geometry.attributes.position.count; i += step) {
      const v = object.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(object.matrixWorld);
      points.push([v.x, v.y, v.z].map(round));
    }
    meshes.push({ node: nodeName(object), points });
  });
  return meshes;
}

const poses = [{ clip: null, time: 0, meshes: vertices() }];
for (const clip of gltf.animations) {
  for (let i = 0; i < count; i++) {
    const time = round(Math.fround((clip.duration * (i + 0.37)) / count));
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(clip).setLoop(THREE.LoopOnce).play();
    mixer.setTime(time);
    poses.push({ clip: clip.name, time, meshes: vertices() });
    mixer.stopAllAction();
    mixer.uncacheRoot(gltf.scene);
  }
}
console.log(JSON.stringify({ step, poses }));
