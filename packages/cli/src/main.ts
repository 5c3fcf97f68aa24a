import { EXIT_OK } from './exit-codes.ts';
import { runProgram } from './program.ts';
import { isFolderGone } from './report-failure.ts';
import { armStopSignal } from './stop-signal.ts';
import { createOutput } from './terminal/create-output.ts';

// Whoever reads our errors may stop listening: what happened stays the same.
process.stderr.on('error', () => {});

// Node 20 tells of a package that fails while it is loaded twice: to the import, whose failure is explained, and here.
process.on('unhandledRejection', (error) => {
  if (!isFolderGone(error)) throw error;
});

let stop: AbortSignal | undefined;
const { write, writeBytes, isStuck } = createOutput(() => stop);

const exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  isTerminal: process.stdout.isTTY,
  isErrorTerminal: process.stderr.isTTY,
  columns: () => {
    const { columns } = process.stdout.isTTY ? process.stdout : process.stderr;
    // A terminal that does not know its size says 0.
    return columns > 0 ? columns : undefined;
  },
  openInput: () => (process.stdin.isTTY ? undefined : process.stdin),
  write,
  writeBytes,
  writeError: (text) => {
    process.stderr.write(text);
  },
  armStop: (forceAfterMs) => {
    const armed = armStopSignal(forceAfterMs);
    stop = armed.signal;
    return armed;
  },
});

if (exitCode !== EXIT_OK && isStuck()) process.exit(exitCode);
process.exitCode = exitCode;
