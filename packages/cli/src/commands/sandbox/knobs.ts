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
        '(docs/sandbox-assumptions.md explains them). A * marks those that differ from their default. name=value ' +
        'turns one, and only what was turned is shown; a value is JSON, or text.',
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
        const call = { method, path: '/knobs', ...(isChange ? { body: knobs } : {}) } as const;
        const defaults = await loadDefaults();
        await show(command, call, (answer) => {
          const all = Object.entries(readEntry(answer, 'knobs') ?? {});
          return describeKnobs(isChange ? all.filter(([name]) => Object.hasOwn(knobs, name)) : all, defaults);
        });
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

/** Of the service's knobs. Those of the stand-ins have other names, and no mark. */
async function loadDefaults(): Promise<ReadonlyMap<string, unknown>> {
  const { knobsSchema } = await import('@aftermeet/sandbox');
  return new Map(Object.entries(knobsSchema.parse({})));
}

function describeKnobs(
  knobs: readonly (readonly [string, unknown])[],
  defaults: ReadonlyMap<string, unknown>,
): string {
  return knobs
    .map(([name, value]) => {
      const isTurned = defaults.has(name) && JSON.stringify(value) !== JSON.stringify(defaults.get(name));
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${isTurned ? '*' : ' '} ${cleanLine(name)}=${cleanLine(text)}\n`;
    })
    .join('');
}
