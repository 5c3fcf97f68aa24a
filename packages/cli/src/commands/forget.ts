import type { ForgetReceipt } from '@aftermeet/recipes';
import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED } from '../errors.ts';
import { shortenId, withOperator } from '../operate/operator.ts';
import { describeRecall } from '../operate/outcome-words.ts';
import { MEETING_HELP } from '../service/meeting-id.ts';
import { formatJson } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

/** `aftermeet forget`: removes everything that recipes caused for a meeting. */
export function addForgetCommand(program: Command, context: CommandContext): void {
  program
    .command('forget')
    .summary('remove everything that was caused by a meeting')
    .description(
      'Takes back the messages, pages and files about a meeting (a series has one id: about all of it), ends what was not sent yet, and deletes its deliveries, ' +
        'effects and journal from the store. Without --yes it only says what it would do. It prints a receipt, with what ' +
        'cannot be removed: mails and requests. The store keeps ids and hashes for 90 days, so that nothing is sent ' +
        'again. What the service has of the meeting stays there. The exit code is 1 if something stays.',
    )
    .argument('<meeting-id>', MEETING_HELP)
    .option('--yes', 'do it; without it nothing is changed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet forget m_42\n  aftermeet forget m_42 --yes --json > receipt.json',
    )
    .action(async (meetingId: string, { yes = false, json }: { yes?: boolean; json?: boolean }) => {
      const { forgetMeeting } = await import('@aftermeet/recipes');
      const { receipt, atMs } = await withOperator(context, async (operator) => {
        const { recipes, destinations } = operator.requireSettings();
        return {
          receipt: await forgetMeeting(meetingId, !yes, { ...operator, recipes, destinations }),
          atMs: operator.clock(),
        };
      });
      if (receipt.stays.length + receipt.underWay > 0) context.finish(EXIT_FAILED);
      const at = new Date(atMs).toISOString();
      context.write(json === true ? formatJson({ ...receipt, at }) : describeReceipt(receipt, at));
    });
}

function describeReceipt(receipt: ForgetReceipt, at: string): string {
  const { meetingId, isDryRun, recalled, stays, ended, underWay, deliveries, jobs } = receipt;
  const lines = [
    `${isDryRun ? 'Would be forgotten' : 'Forgotten'}: the meeting ${cleanLine(meetingId)}, ${at}`,
    '',
    ...recalled.map(
      (one) =>
        `${name(one)}  ${isDryRun ? 'would be taken back, if its destination lets it' : 'is taken back'}`,
    ),
    ...stays.map((one) => `${name(one)}  ${describeRecall(one.outcome)}`),
    `${ended} not sent yet, and ${isDryRun ? 'would not be' : 'never'} sent`,
    `${deliveries} deliveries and ${jobs} effects ${isDryRun ? 'would be deleted' : 'deleted'} from the store`,
    ...(underWay === 0 ? [] : [`${underWay} are under way now: forget the meeting again in a minute`]),
    'Ids and hashes are kept for 90 days, so that nothing is sent again. The service keeps its meeting.',
    ...(isDryRun ? ['Nothing was changed: add --yes.'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function name({ effectKey, recipe, destination }: ForgetReceipt['recalled'][number]): string {
  return `${shortenId(effectKey)}  ${recipe}  ${destination}`;
}
