#!/usr/bin/env node
// npm links a command at install time, when nothing is built yet: this file is always there.
import { existsSync } from 'node:fs';

const main = new URL('../dist/command/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write('Aftermeet is not built yet: run npm start, or npm run build.\n');
  process.exitCode = 1;
}
