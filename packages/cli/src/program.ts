import { readFileSync } from 'node:fs';

import { describeError } from '@aftermeet/queue';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';

import { addDevCommand } from './commands/dev.ts';
import { addReceiverCommand } from './commands/receiver.ts';
import { addRecipesCommand } from './commands/recipes.ts';
import { addSandboxCommand } from './commands/sandbox.ts';
import { addSendCommand } from './commands/send.ts';
import { addWorkerCommand } from './commands/worker.ts';
import type { Context } from './context.ts';
import { WrongUse } from './wrong-use.ts';

export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
export const EXIT_WRONG_USE = 2;

/** Runs one command line and returns its exit code: 0 ok, 1 failed, 2 wrong use. */
export async function runProgram(words: readonly string[], context: Context): Promise<number> {
  let exitCode: number = EXIT_OK;
  const program = new Command('aftermeet')
    .description('Everything that happens after the meeting: receive, fetch, carry on.')
    .option(
      '--config <file>',
      'settings file (default: aftermeet.yaml where there is one, or AFTERMEET_CONFIG)',
    )
    .version(readVersion())
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', '\nExit codes: 0 ok, 1 failed, 2 wrong use.\nStart here: aftermeet dev');
  const finish = (code: number): void => {
    exitCode = code;
  };
  addDevCommand(program, context, finish);
  addReceiverCommand(program, context);
  addWorkerCommand(program, context);
  addSandboxCommand(program, context);
  addSendCommand(program, context, finish);
  addRecipesCommand(program, context);
  const commands = [program, ...program.commands, ...program.commands.flatMap((command) => command.commands)];
  // Commands inherit neither by themselves.
  for (const command of commands) {
    command.exitOverride().configureOutput({ writeOut: context.write, writeErr: context.writeError });
  }

  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_WRONG_USE;
    if (error instanceof WrongUse) {
      context.writeError(error.message);
      return EXIT_WRONG_USE;
    }
    context.writeError(`aftermeet failed: ${describeError(error)}\n`);
    return EXIT_FAILED;
  }
}

/** The version of this package; all packages carry the same. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}
