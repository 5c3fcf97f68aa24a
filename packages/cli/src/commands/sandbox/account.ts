import { Argument, type Command } from 'commander';

import type { Context } from '../../context.ts';
import { dropAbsent } from '../../drop-absent.ts';
import { addSteeringOptions, createShow } from '../../steering/add-steering-command.ts';
import { readEntry, readText } from '../../steering/steer.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { WrongUse } from '../../wrong-use.ts';
import { parseEndless, toNullable } from './parse-endless.ts';

/** `aftermeet sandbox key` and `plan`: what the workspace may do. */
export function addAccountCommands(sandbox: Command, context: Context): void {
  const show = createShow(context);
  addSteeringOptions(sandbox.command('key'), 'sandbox key')
    .summary('regenerate the API key')
    .description(
      'Makes a new API key, or the one that is given, and prints it. The old one is invalid at once.',
    )
    .argument('[key]', 'the new key')
    .action((key: string | undefined, _options: unknown, command: Command) =>
      show(
        command,
        { method: 'POST', path: '/key', body: dropAbsent({ key }) },
        (answer) => `${cleanLine(readText(answer, 'key') ?? '')}\n`,
      ),
    );
  addSteeringOptions(sandbox.command('plan'), 'sandbox plan pro --minutes-left 0')
    .summary('show or change the plan and its minutes')
    .description(
      'With the plan none every call is refused with 403; with no minutes left, new meetings with 402.',
    )
    .addArgument(new Argument('[plan]', 'the plan').choices(['none', 'lite', 'pro', 'business']))
    .option('--minutes-left <number>', 'minutes, or unlimited', parseEndless('unlimited', 0))
    .action((plan: string | undefined, { minutesLeft }: { minutesLeft?: number }, command: Command) => {
      const body = dropAbsent({ plan, minutes_left: toNullable(minutesLeft) });
      const isChange = Object.keys(body).length > 0;
      if (isChange && plan === undefined) {
        throw new WrongUse('Name the plan as well: aftermeet sandbox plan pro --minutes-left 0\n');
      }
      return show(
        command,
        isChange ? { method: 'POST', path: '/plan', body } : { method: 'GET', path: '/plan' },
        (answer) => {
          const minutes = readEntry(answer, 'minutes_left');
          const left = typeof minutes === 'number' ? `${minutes} minutes left` : 'minutes without limit';
          return `Plan ${cleanLine(readText(answer, 'plan') ?? '')}, ${left}\n`;
        },
      );
    });
}
