// The public surface of the command: what a test or a wrapper needs to run it in its own process.
export type { Context } from './context.ts';
export { EXIT_FAILED, EXIT_OK, EXIT_WRONG_USE, runProgram } from './program.ts';
export type { Environment } from './settings/settings.ts';
