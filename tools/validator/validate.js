#!/usr/bin/env node
// Runs the Khronos glTF validator on files and prints one JSON line per file: {file, errors, warnings, infos, messages},
// or {file, failed} where the validator itself fails on a file.
"use strict";
const fs = require("fs");
const path = require("path");
const validator = require("gltf-validator");

async function check(file) {
  const folder = path.dirname(file);
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 200,
    externalResourceFunction: async (uri) =>
      new Uint8Array(fs.readFileSync(path.join(folder, decodeURIComponent(uri)))),
  });
  const issues = report.issues;
  return {
    file,
    errors: issues.numErrors,
    warnings: issues.numWarnings,
    infos: issues.numInfos,
    messages: issues.messages.map((m) => ({
      severity: m.severity,
      code: m.code,
      message: m.message,
      pointer: m.pointer,
    })),
  };
}

(async () => {
  for (const file of process.argv.slice(2)) {
    const found = await check(file).catch((error) => ({ file, failed: String(error) }));
    process.stdout.write(JSON.stringify(found) + "\n");
  }
})().catch((error) => {
  process.stderr.write(String(error) + "\n");
  process.exit(1);
});
