import type { Suppression } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { WrongUse } from '../errors.ts';
import { formatMinute, withOperator } from '../operate/operator.ts';
import { formatIso, formatItems, formatJson, formatTable } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

/** `aftermeet suppress`: who gets no mail and no direct message. */
export function addSuppressCommand(program: Command, context: CommandContext): void {
  const suppress = program
    .command('suppress')
    .summary('keep people from getting mails and direct messages')
    .description(
      'The suppression list: who is on it gets no mail and no direct message of any recipe, also none that is queued ' +
        'already. Where PUBLIC_URL is set, each mail has a link by which its reader gets on it. Workers follow within ' +
        'five seconds. Requests for approval are sent all the same.',
    );
  suppress
    .command('add')
    .summary('put somebody on the list')
    .description('Puts an address, or a member of Slack by their id, on the suppression list.')
    .argument('<address>', 'address, or id of a member of Slack such as U0123ABCD')
    .option('--meeting <meeting-id>', 'only about this meeting; a series has one id')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet suppress add ann@example.com')
    .action(async (address: string, options: Options) => change(context, address, options, true));
  suppress
    .command('remove')
    .summary('take somebody from the list')
    .description('Takes an address from the suppression list, as aftermeet suppress list shows it.')
    .argument('<address>', 'address or id')
    .option('--meeting <meeting-id>', 'the entry for this meeting')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet suppress remove ann@example.com')
    .action(async (address: string, options: Options) => change(context, address, options, false));
  suppress
    .command('list')
    .summary('list who is on it')
    .description('Lists who is on the suppression list, since when, and who put them there.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet suppress list')
    .action(async ({ json }: { json?: boolean }) => {
      const list = await withOperator(context, (operator) => operator.listSuppressions(), {
        result: [],
      });
      if (json === true) context.write(formatItems(list.map(viewSuppression)));
      else
        context.write(
          list.length === 0
            ? 'The suppression list is empty.\n'
            : formatTable(list, columns, tableView(context)),
        );
    });
}

interface Options {
  readonly meeting?: string;
  readonly json?: boolean;
}

const columns = [
  { title: 'ADDRESS', read: ({ address }: Suppression) => address },
  { title: 'ABOUT', read: ({ meetingId = 'all meetings' }: Suppression) => meetingId, shrinks: true },
  { title: 'SINCE (UTC)', read: ({ atMs }: Suppression) => formatMinute(atMs) },
  { title: 'BY', read: ({ who }: Suppression) => who, shrinks: true, leftOut: 1 },
];

function viewSuppression({ atMs, ...suppression }: Suppression) {
  return { ...suppression, at: formatIso(atMs) };
}

async function change(
  context: CommandContext,
  address: string,
  { meeting: meetingId, json }: Options,
  isSuppressed: boolean,
): Promise<void> {
  const { canBeSuppressed } = await import('@aftermeet/recipes');
  if (isSuppressed && !canBeSuppressed(address)) {
    throw new WrongUse(
      `${JSON.stringify(cleanLine(address))} is neither an address nor the id of a member of Slack.\n`,
    );
  }
  const isChanged = await withOperator(context, (operator) =>
    operator.setSuppression({
      address,
      meetingId,
      isSuppressed,
      who: 'aftermeet suppress',
      nowMs: operator.clock(),
    }),
  );
  if (json === true) {
    context.write(formatJson({ address, meetingId, isSuppressed, isChanged }));
    return;
  }
  const about = meetingId === undefined ? '' : ` for the meeting ${cleanLine(meetingId)}`;
  const was = isSuppressed ? 'was on the list already' : 'was not on the list';
  const is = isSuppressed ? 'is on the suppression list' : 'is not on the suppression list any more';
  context.write(`${cleanLine(address)} ${isChanged ? is : was}${about}.\n`);
}
