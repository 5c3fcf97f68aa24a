import type { StopSignal } from './context.ts';
import { EXIT_FAILED, EXIT_OK, isFolderGone } from './errors.ts';
import { armStopSignal } from './hosting/stop-signal.ts';
import { runProgram } from './program.ts';
import { createOutput, isStdoutFile } from './terminal/output.ts';

// A closed stderr does not change what the command does.
process.stderr.on('error', () => {});

// Node 20 reports a package that fails while it loads twice: to the import, whose failure is explained, and here.
process.on('unhandledRejection', (error) => {
  if (!isFolderGone(error)) throw error;
});

let stop: StopSignal | undefined;
/** Set once results can't be written any more: the command then stops, cleans up and ends with this code. */
let failedWith: number | undefined;

const { write, writeBytes, isStuck } = createOutput({
  stdout: process.stdout,
  isFile: isStdoutFile(),
  stopSignal: () => stop?.signal,
  onFailure: (code) => {
    failedWith = code === 'EPIPE' ? EXIT_OK : EXIT_FAILED;
    process.exitCode = failedWith;
    if (code !== 'EPIPE') process.stderr.write(`The output can't be written (${code}).\n`);
    stop?.ask();
  },
});

const exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  envFile: '.env',
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
    // What follows a failed output is only its consequence, such as `Stopped.`
    if (failedWith === undefined) process.stderr.write(text);
  },
  ask:
    process.stdin.isTTY && process.stderr.isTTY
      ? async (question) => (await import('./terminal/ask.ts')).askAtTerminal(question)
      : undefined,
  armStop: (forceAfterMs) => {
    stop = armStopSignal(forceAfterMs);
    if (failedWith !== undefined) stop.ask();
    return stop;
  },
});

if (exitCode !== EXIT_OK && isStuck()) process.exit(failedWith ?? exitCode);
process.exitCode = failedWith ?? exitCode;
