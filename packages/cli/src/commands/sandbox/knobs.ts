import { type Command, InvalidArgumentError } from 'commander';

import type { Context } from '../../context.ts';
import { addSteeringOptions, createShow } from '../../steering/add-steering-command.ts';
import { readEntry } from '../../steering/steer.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { WrongUse } from '../../wrong-use.ts';

/** `aftermeet sandbox knobs`: what the specification does not show. */
export function addKnobCommand(sandbox: Command, context: Context): void {
  const show = createShow(context);
  addSteeringOptions(
    sandbox.command('knobs'),
    'sandbox knobs',
    'sandbox knobs reportShape=bare statusAnswer=json',
  )
    .summary('show and turn what the specification leaves open')
    .description(
      'Shows the knobs of a running sandbox: each stands for something that the specification does not show ' +
        '(docs/sandbox-assumptions.md explains them). name=value turns one; a value is JSON, or text.',
    )
    .argument('[name=value...]', 'knobs to turn', collectKnobs)
    .option('--reset', 'turn all back first')
    .action(
      async (
        knobs: Readonly<Record<string, unknown>> = {},
        { reset }: { reset?: boolean },
        command: Command,
      ) => {
        const isChange = Object.keys(knobs).length > 0;
        if (reset === true && isChange) {
          throw new WrongUse('--reset turns all back: turn some in a second command.\n');
        }
        const method = reset === true ? 'DELETE' : isChange ? 'PATCH' : 'GET';
        await show(command, { method, path: '/knobs', ...(isChange ? { body: knobs } : {}) }, describeKnobs);
      },
    );
}

/** `a=1` and `b=text`, read as JSON where they are JSON. */
export function collectKnobs(
  word: string,
  before: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const at = word.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value.');
  return { ...before, [word.slice(0, at)]: readValue(word.slice(at + 1)) };
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text without quotes: nobody writes them on a command line.
    return text;
  }
}

function describeKnobs(answer: unknown): string {
  return Object.entries(readEntry(answer, 'knobs') ?? {})
    .map(
      ([name, value]) =>
        `${cleanLine(name)}=${cleanLine(typeof value === 'string' ? value : JSON.stringify(value))}\n`,
    )
    .join('');
}
