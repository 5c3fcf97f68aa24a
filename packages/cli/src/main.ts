#!/usr/bin/env node
import { runProgram } from './program.ts';

process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  isTerminal: process.stdout.isTTY,
  write: (text) => {
    process.stdout.write(text);
  },
});
