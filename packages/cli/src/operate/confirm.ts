import type { Context } from '../context.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, Failure, WrongUse } from '../errors.ts';

/**
 * Asks at a terminal whether to go on with what cannot be undone; `what` is a sentence such as `12 drafts will be sent.`
 * Without a terminal `--yes` has to say it: a script that was meant for one must not do it to all.
 */
export async function requireYes(what: string, { ask }: Context, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  if (ask === undefined) throw new WrongUse(`${what} Add --yes if that is right.\n`);
  const answer = await ask({ text: `${what} Go on? [y/N] ` });
  if (/^y(?:es)?$/i.test(answer?.trim() ?? '')) return;
  const exitCode = answer === undefined ? EXIT_INTERRUPTED : EXIT_FAILED;
  throw new Failure({ exitCode, code: 'aborted', message: 'Nothing was changed.' });
}
