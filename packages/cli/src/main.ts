import { runProgram } from './program.ts';

// Whoever reads our output may stop listening (`aftermeet --help | head`): that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  isTerminal: process.stdout.isTTY,
  write: (text) => {
    process.stdout.write(text);
  },
  writeError: (text) => {
    process.stderr.write(text);
  },
});
