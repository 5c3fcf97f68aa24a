import { randomUUID } from 'node:crypto';

import type { TestOutcome } from '@aftermeet/recipes';
import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, EXIT_OK } from '../errors.ts';
import { requirePlan, withOperator } from '../operate/operator.ts';
import { formatJson } from '../terminal/format.ts';
import { cleanLine, pasteWord } from '../terminal/text.ts';

interface TestOptions {
  readonly to?: string;
  readonly json?: boolean;
}

/** `aftermeet recipes test`: sends one message that is marked as a test. */
export function addTestCommand(recipes: Command, context: CommandContext): void {
  recipes
    .command('test')
    .summary('send one message that is marked as a test')
    .description(
      'Makes the first message of a recipe from a meeting that never took place, and sends it to where the recipe sends: ' +
        'one message, at once, without a worker. Its title and its text say that it is a test. Conditions and approval ' +
        'do not count, and nothing is recorded. A recipe that writes to people who took part needs --to.',
    )
    .argument('<recipe>', 'name of a recipe')
    .option('--to <address>', 'this person takes part in the meeting and has a task there')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet recipes test sales-recap\n  aftermeet recipes test mails --to ann@example.com',
    )
    .action(async (name: string, { to, json = false }: TestOptions) => {
      const outcome = await withOperator(context, async (operator) => {
        await requirePlan(operator);
        const { sendTestMessage } = await import('@aftermeet/recipes');
        const { recipes: configured, destinations, endpointRecipes, policies } = operator.requireSettings();
        const settings = { recipes: configured, destinations, endpointRecipes, policies };
        return await sendTestMessage({ name, to, ...settings, key: `test-${randomUUID()}` }, operator);
      });
      if (outcome.kind === 'unknown_recipe') {
        const { unknownRecipe } = await import('../recipes/preview-meeting.ts');
        throw await unknownRecipe(name, outcome.names);
      }
      context.finish(outcome.kind === 'sent' ? EXIT_OK : EXIT_FAILED);
      if (json) context.write(formatJson(outcome));
      else if (outcome.kind === 'sent') context.write(describeOutcome(name, to, outcome));
      else context.writeError(describeOutcome(name, to, outcome));
    });
}

type Told = Exclude<TestOutcome, { readonly kind: 'unknown_recipe' }>;

function describeOutcome(name: string, to: string | undefined, outcome: Told): string {
  if (outcome.kind === 'no_message') {
    const why = outcome.cause === undefined ? '' : `: ${cleanLine(outcome.cause)}`;
    const next =
      to === undefined
        ? `If it writes to people who took part, name one: aftermeet recipes test ${pasteWord(name)} --to <address>\n`
        : `It sends nothing to ${cleanLine(to)}: aftermeet recipes check shows its options.\n`;
    return `The recipe ${cleanLine(name)} makes no message of the test${why}.\n${next}`;
  }
  const place = `${outcome.destination} to ${cleanLine(outcome.target)}`;
  if (outcome.kind === 'failed') {
    return `Not sent by ${place}: ${cleanLine(outcome.cause)}. aftermeet doctor checks the destination.\n`;
  }
  const where = outcome.url === undefined ? '' : `: ${cleanLine(outcome.url)}`;
  return `A test message was sent by ${place}${where}\n`;
}
