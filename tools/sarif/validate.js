#!/usr/bin/env node
// Checks SARIF logs against the public schema of SARIF 2.1.0 and prints one line per error: file, pointer, message.
"use strict";
const fs = require("fs");
const Ajv = require("ajv/dist/2020");
const schema = require("@microsoft/sarif-multitool-linux/sarif-2.1.0.json");

const ajv = new Ajv({ allErrors: true, strict: false });
require("ajv-formats")(ajv);
const validate = ajv.compile(schema);
let failed = false;
for (const file of process.argv.slice(2)) {
  if (!validate(JSON.parse(fs.readFileSync(file, "utf8")))) {
    failed = true;
    for (const error of validate.errors) {
      console.log(`${file}${error.instancePath}: ${error.message}`);
    }
  }
}
process.exitCode = failed ? 1 : 0;
