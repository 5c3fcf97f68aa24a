import type { Command } from 'commander';

import { collectList } from '../../collect-list.ts';
import type { Context } from '../../context.ts';
import { dropAbsent } from '../../drop-absent.ts';
import { parseDuration } from '../../parse-duration.ts';
import { parseWhole } from '../../parse-whole.ts';
import { addSteeringOptions, createShow } from '../../steering/add-steering-command.ts';
import { readEntry, readText } from '../../steering/steer.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { WrongUse } from '../../wrong-use.ts';
import { parseTimeScale } from './parse-time-scale.ts';

interface SeedOptions {
  readonly meetings?: number;
  readonly languages?: readonly string[];
  readonly days?: number;
  readonly seed?: number;
}

interface ClockOptions {
  readonly advance?: number;
  readonly scale?: number;
  readonly freeze?: boolean;
  readonly resume?: boolean;
}

/** `aftermeet sandbox seed`, `clock` and `reset`: what is in it, and what time it is there. */
export function addWorldCommands(sandbox: Command, context: Context): void {
  const show = createShow(context);
  addSteeringOptions(sandbox.command('seed'), 'sandbox seed --meetings 40 --languages en,de')
    .summary('fill it with finished meetings')
    .description(
      'Fills a running sandbox with finished meetings of the last weeks, in several languages, some with tags.',
    )
    .option('--meetings <number>', 'how many; default 12', parseWhole('a number', 1, 500))
    .option('--languages <codes>', 'only these of en,de,fr,es,ru,zh,ja', collectList)
    .option('--days <number>', 'over how many days; default 30', parseWhole('a number', 1, 365))
    .option('--seed <number>', 'another number makes other meetings', parseWhole('a number', 0, 999_999_999))
    .action((_options: unknown, command: Command) => {
      const { meetings, languages, days, seed } = command.optsWithGlobals<SeedOptions>();
      const body = dropAbsent({ meetings, languages, days, seed });
      return show(
        command,
        { method: 'POST', path: '/seed', body },
        (answer) =>
          `${countEntries(answer, 'meeting_ids')} meetings were made: aftermeet search lists them.\n`,
      );
    });
  addSteeringOptions(sandbox.command('clock'), 'sandbox clock --advance 1h')
    .summary('show its time, move it on, let it run faster')
    .description(
      'Shows the time of a running sandbox and changes it. Scheduled bots, processing and the retries of deliveries ' +
        'go by it.',
    )
    .option('--advance <time>', 'move on by 90s, 15m, 1h30m, 2d; a number alone is seconds', parseDuration)
    .option('--scale <number>', 'seconds of the sandbox in one second', parseTimeScale)
    .option('--freeze', 'stand still')
    .option('--resume', 'run again')
    .action(({ advance, scale, freeze, resume }: ClockOptions, command: Command) => {
      if (freeze === true && resume === true) {
        throw new WrongUse('--freeze and --resume exclude each other.\n');
      }
      const frozen = freeze === true ? true : resume === true ? false : undefined;
      const body = dropAbsent({ advance_seconds: advance, time_scale: scale, frozen });
      const isChange = Object.keys(body).length > 0;
      return show(
        command,
        isChange ? { method: 'POST', path: '/clock', body } : { method: 'GET', path: '/clock' },
        describeClock,
      );
    });
  addSteeringOptions(sandbox.command('reset'), 'sandbox reset')
    .summary('forget everything')
    .description(
      'Forgets meetings, tags, uploads, deliveries, faults and knobs; the first key is valid again.',
    )
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'POST', path: '/reset' }, () => 'Everything is as at the start.\n'),
    );
}

function describeClock(answer: unknown): string {
  const now = cleanLine(readText(answer, 'now') ?? '');
  const scale = Number(readEntry(answer, 'time_scale') ?? 1);
  const pace =
    readEntry(answer, 'frozen') === true ? ', standing still' : scale === 1 ? '' : `, ${scale} times as fast`;
  return `${now}${pace}\n`;
}

function countEntries(answer: unknown, name: string): number {
  const entries = readEntry(answer, name);
  return Array.isArray(entries) ? entries.length : 0;
}
