import type { Command } from 'commander';

import { collectList } from '../collect-list.ts';
import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import { pasteWord } from '../quote-word.ts';
import { addEndpointOption, type EndpointOptions, readEndpoint } from '../service/endpoint-option.ts';
import { waitForNewMeeting } from '../service/wait-for-new-meeting.ts';
import { addWebhookOptions, readWebhook } from '../service/webhook-options.ts';
import { withService } from '../service/with-service.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';

interface RecordOptions extends EndpointOptions {
  readonly source?: string;
  readonly title?: string;
  readonly at?: string;
  readonly cron?: string;
  readonly template?: string;
  readonly participants?: string[];
  readonly wait?: boolean;
}

/** `aftermeet record`: sends a bot to a meeting, now or later. */
export function addRecordCommand(program: Command, context: Context, finish: (code: number) => void): void {
  const command = program
    .command('record')
    .summary('send a bot to a meeting, now or later')
    .description(
      'Sends a bot to a meeting: at once, at a time up to three months ahead (--at), or again and again (--cron). ' +
        'Prints the id of the meeting, by which the other commands know it.',
    )
    .argument('<link>', 'the meeting link')
    .option('--source <platform>', 'platform, such as gmeet or zoom')
    .option('--title <text>', 'meeting title')
    .option('--at <time>', 'planned start with its UTC offset, such as 2026-12-01T10:00:00+03:00')
    .option(
      '--cron <expression>',
      "five fields in UTC, such as '0 9 * * 1'; all occurrences share one meeting id",
    )
    .option('--template <template>', 'report template: a name or id that aftermeet templates lists')
    .option(
      '--participants <addresses>',
      'e-mail addresses, separated by commas or given again. The service itself may write to them',
      collectList,
    );
  addWebhookOptions(addEndpointOption(command))
    .option('--wait', 'wait until the report is ready, for an hour at most')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet record https://meet.example.com/abc --title "Weekly sync" --template team-sync\n' +
        '  aftermeet record https://meet.example.com/abc --at 2026-12-01T10:00:00+03:00\n' +
        '  aftermeet record https://meet.example.com/abc --endpoint default\n' +
        '  WEBHOOK_SECRET=… aftermeet record https://meet.example.com/abc \\\n' +
        '    --webhook-url https://hooks.example.com/hooks/default',
    )
    .action(async (link: string, options: RecordOptions) => {
      const { json } = options;
      const { config: configPath } = program.opts<{ config?: string }>();
      const endpoint = await readEndpoint(options, context, { kind: 'recording', configPath });
      const input = {
        link,
        ...dropAbsent({
          source: options.source,
          title: options.title,
          local_date_time: options.at,
          cron: options.cron,
          template_name: options.template,
          participants: options.participants,
        }),
        ...readWebhook(options, context),
        ...endpoint.input,
      };
      const { meetingId } = await withService(
        context,
        { json, clientOptions: endpoint.client },
        ({ client, call }) => client.recordings.start(input, call),
      );
      if (json !== true && isPast(options.at, context)) {
        context.writeError('The start lies in the past: the service may send the bot at once.\n');
      }
      const isLater = options.at !== undefined || options.cron !== undefined;
      if (json !== true) {
        context.write(
          `${isLater ? 'The recording is planned.' : 'The bot is on its way.'}\n` +
            `Meeting ${cleanLine(meetingId)}\n`,
        );
      }
      if (options.wait === true) finish(await waitForNewMeeting(context, json, { meetingId }));
      else if (json === true) context.write(formatJson({ meetingId }));
      else
        context.write(
          `See how far it is: aftermeet status ${pasteWord(meetingId)}${isLater ? '' : ' --wait'}\n`,
        );
    });
}

function isPast(time: string | undefined, { clock = Date.now }: Context): boolean {
  return time !== undefined && Date.parse(time) < clock();
}
