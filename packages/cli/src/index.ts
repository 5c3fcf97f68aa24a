// The public surface of the command: what a test or a wrapper needs to run it in its own process.
export type { Context } from './context.ts';
export { EXIT_FAILED, EXIT_KEY_REFUSED, EXIT_NOT_READY, EXIT_OK, EXIT_WRONG_USE } from './errors.ts';
export { operationCommands } from './service/operations.ts';
export { runProgram } from './program.ts';
export type { Environment } from './settings/settings.ts';
