import { Argument, InvalidArgumentError, type Command } from 'commander';

import type { Context } from '../../context.ts';
import { WrongUse } from '../../errors.ts';
import {
  collectList,
  omitUndefined,
  parseCountOrUnlimited,
  parseDuration,
  parseWhole,
} from '../../options.ts';
import { cleanLine } from '../../terminal/text.ts';
import { addControlOptions, createShow, getField, getText, type Show } from './control.ts';

/** `aftermeet sandbox seed`, `clock`, `advance`, `options`, `key`, `plan` and `reset`. */
export function addStateCommands(sandbox: Command, context: Context): void {
  const show = createShow(context);
  addSeed(sandbox, show);
  addClock(sandbox, show);
  addOptions(sandbox, show);
  addAccount(sandbox, show);
  addControlOptions(sandbox.command('reset'), 'sandbox reset')
    .summary('delete all data')
    .description(
      'Removes meetings, tags, uploads, deliveries and faults, and resets the options; the first key is valid again.',
    )
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'POST', path: '/reset' }, () => 'Everything is as at the start.\n'),
    );
}

interface SeedOptions {
  readonly meetings?: number;
  readonly languages?: readonly string[];
  readonly days?: number;
  readonly seed?: number;
}

function addSeed(sandbox: Command, show: Show): void {
  addControlOptions(sandbox.command('seed'), 'sandbox seed --meetings 40 --languages en,de')
    .summary('add finished meetings')
    .description(
      'Adds finished meetings of the last weeks to a running sandbox, in several languages, some with tags.',
    )
    .option('--meetings <number>', 'how many; default 12', parseWhole('a number', 1, 500))
    .option('--languages <codes>', 'only these of en,de,ja', collectList)
    .option('--days <number>', 'within how many days; default 30', parseWhole('a number', 1, 365))
    .option('--seed <number>', 'another number makes other meetings', parseWhole('a number', 0, 999_999_999))
    .action(({ meetings, languages, days, seed }: SeedOptions, command: Command) =>
      show(
        command,
        { method: 'POST', path: '/seed', body: omitUndefined({ meetings, languages, days, seed }) },
        (answer) => {
          const ids = getField(answer, 'meetingIds');
          const count = Array.isArray(ids) ? ids.length : 0;
          return `${count} meetings were made: aftermeet search lists them.\n`;
        },
      ),
    );
}

function addClock(sandbox: Command, show: Show): void {
  const advance = (command: Command, seconds: number): Promise<void> =>
    show(command, { method: 'POST', path: '/clock', body: { advance_seconds: seconds } }, describeTime);
  addControlOptions(sandbox.command('advance'), 'sandbox advance 1h')
    .summary('advance its clock')
    .description(
      'Advances the clock of a running sandbox. Scheduled bots, processing and the retries of deliveries use it: ' +
        'what becomes due happens at once.',
    )
    .argument('<time>', '90s, 15m, 1h30m, 2d; a number alone is seconds', parseDuration)
    .action((seconds: number, _options: unknown, command: Command) => advance(command, seconds));
  addControlOptions(sandbox.command('clock'), 'sandbox clock')
    .summary('show its time')
    .description('Shows the time of a running sandbox; aftermeet sandbox advance <time> changes it.')
    .option('--advance <time>', 'as aftermeet sandbox advance', parseDuration)
    .action(({ advance: seconds }: { advance?: number }, command: Command) =>
      seconds === undefined
        ? show(command, { method: 'GET', path: '/clock' }, describeTime)
        : advance(command, seconds),
    );
}

function describeTime(answer: unknown): string {
  return `${cleanLine(getText(answer, 'now') ?? '')}\n`;
}

function addOptions(sandbox: Command, show: Show): void {
  addControlOptions(
    sandbox.command('options'),
    'sandbox options',
    'sandbox options errorShape=nested statusAnswer=json',
  )
    .summary('show and set what the specification leaves open')
    .description(
      'Shows the options of a running sandbox: each stands for something that the specification leaves open ' +
        '(docs/sandbox-assumptions.md explains them). A * marks those that differ from their default. name=value ' +
        'sets one; the value is JSON, or text.',
    )
    .argument('[name=value...]', 'options to set', collectOptions)
    .option('--reset', 'reset all')
    .action(
      async (
        changes: Readonly<Record<string, unknown>> = {},
        { reset }: { reset?: boolean },
        command: Command,
      ) => {
        const isChange = Object.keys(changes).length > 0;
        if (reset === true && isChange) {
          throw new WrongUse('--reset resets all options: set some in a second command.\n');
        }
        const method = reset === true ? 'DELETE' : isChange ? 'PATCH' : 'GET';
        const call = { method, path: '/options', ...(isChange ? { body: changes } : {}) } as const;
        const { readServiceOptions } = await import('@aftermeet/sandbox');
        const defaults = readServiceOptions({});
        await show(command, call, (answer) => {
          const all = Object.entries(getField(answer, 'options') ?? {});
          const shown = isChange ? all.filter(([name]) => Object.hasOwn(changes, name)) : all;
          return describeOptions(
            shown,
            new Map('options' in defaults ? Object.entries(defaults.options) : []),
          );
        });
      },
    );
}

/** `a=1` and `b=text`: the value is JSON, or else text. */
export function collectOptions(
  word: string,
  before: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const at = word.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value.');
  return { ...before, [word.slice(0, at)]: parseValue(word.slice(at + 1)) };
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The options of an emulator have no known defaults, and no mark. */
function describeOptions(
  options: readonly (readonly [string, unknown])[],
  defaults: ReadonlyMap<string, unknown>,
): string {
  return options
    .map(([name, value]) => {
      const isChanged = defaults.has(name) && JSON.stringify(value) !== JSON.stringify(defaults.get(name));
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${isChanged ? '*' : ' '} ${cleanLine(name)}=${cleanLine(text)}\n`;
    })
    .join('');
}

function addAccount(sandbox: Command, show: Show): void {
  addControlOptions(sandbox.command('key'), 'sandbox key')
    .summary('regenerate the API key')
    .description('Makes a new API key, or uses the given one, and prints it. The old one is invalid at once.')
    .argument('[key]', 'the new key')
    .action((key: string | undefined, _options: unknown, command: Command) =>
      show(
        command,
        { method: 'POST', path: '/key', body: omitUndefined({ key }) },
        (answer) => `${cleanLine(getText(answer, 'key') ?? '')}\n`,
      ),
    );
  addControlOptions(sandbox.command('plan'), 'sandbox plan pro --minutes-left 0')
    .summary('show or change the plan and its minutes')
    .description(
      'With the plan none every call is refused with 403; with no minutes left, new meetings with 402.',
    )
    .addArgument(new Argument('[plan]', 'the plan').choices(['none', 'lite', 'pro', 'business']))
    .option('--minutes-left <number>', 'minutes, or unlimited', parseCountOrUnlimited('unlimited', 0))
    .action((plan: string | undefined, { minutesLeft }: { minutesLeft?: number }, command: Command) => {
      const body = omitUndefined({ plan, minutes_left: toNullable(minutesLeft) });
      const isChange = Object.keys(body).length > 0;
      if (isChange && plan === undefined) {
        throw new WrongUse('Name the plan as well: aftermeet sandbox plan pro --minutes-left 0\n');
      }
      return show(
        command,
        isChange ? { method: 'POST', path: '/plan', body } : { method: 'GET', path: '/plan' },
        (answer) => {
          const minutes = getField(answer, 'minutesLeft');
          const left = typeof minutes === 'number' ? `${minutes} minutes left` : 'minutes without limit';
          return `Plan ${cleanLine(getText(answer, 'plan') ?? '')}, ${left}\n`;
        },
      );
    });
}

/** JSON has null for unlimited. */
export function toNullable(value: number | undefined): number | null | undefined {
  return value === Number.POSITIVE_INFINITY ? null : value;
}
