import type { Context } from './context.ts';
import { createProgram } from './create-program.ts';
import { EXIT_OK } from './exit-codes.ts';
import { asksForJson, reportFailure } from './report-failure.ts';

/** Runs one command line and returns its exit code: 0 ok, 1 failed, 2 wrong use, 130 stopped by Ctrl-C. */
export async function runProgram(words: readonly string[], context: Context): Promise<number> {
  let exitCode: number = EXIT_OK;
  const asJson = asksForJson(words);
  const finish = (code: number): void => {
    exitCode = code;
  };
  try {
    await createProgram({ context, asJson, finish }).parseAsync(readHelpWords(words), { from: 'user' });
    return exitCode;
  } catch (error) {
    return await reportFailure(error, context, asJson);
  }
}

/** `help report get` as `report get --help`: commander's own `help` knows one level. */
function readHelpWords(words: readonly string[]): readonly string[] {
  return words[0] === 'help' && words.length > 1 ? [...words.slice(1), '--help'] : words;
}
