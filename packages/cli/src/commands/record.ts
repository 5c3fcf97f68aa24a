import type { RecordingStatus } from '@aftermeet/client';
import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, EXIT_OK } from '../errors.ts';
import { rememberOrder } from '../operate/meeting-endpoint.ts';
import { collectList, omitUndefined } from '../options.ts';
import { addTimeOptions, describeTime, readTime } from '../service/given-time.ts';
import { MEETING_HELP } from '../service/meeting-id.ts';
import { describeStatus, waitForMeeting, waitForNewMeeting } from '../service/meeting-status.ts';
import { readTemplate } from '../service/template-name.ts';
import { addWebhookOptions, readWebhook, type WebhookOptions } from '../service/webhook-options.ts';
import { withService } from '../service/with-service.ts';
import { formatIso, formatJson } from '../terminal/format.ts';
import { cleanLine, pasteWord } from '../terminal/text.ts';

interface RecordOptions extends WebhookOptions {
  readonly source?: string;
  readonly title?: string;
  readonly at?: string;
  readonly timezone?: string;
  readonly allowPast?: boolean;
  readonly cron?: string;
  readonly template?: string;
  readonly participants?: string[];
  readonly wait?: boolean;
}

/** `aftermeet record`: sends a bot to a meeting, now or later. */
export function addRecordCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('record')
    .summary('send a bot to a meeting, now or later')
    .description(
      'Sends a bot to a meeting: at once, at a time up to three months ahead (--at), or repeatedly (--cron). ' +
        'Prints the meeting id that the other commands take.',
    )
    .argument('<link>', 'meeting link; https:// may be left out')
    .option('--source <platform>', 'platform, such as gmeet or zoom')
    .option('--title <text>', 'meeting title');
  addTimeOptions(command, 'planned start')
    .option('--allow-past', 'take a planned start that is over')
    .option(
      '--cron <expression>',
      "five fields in UTC, such as '0 9 * * 1'; all occurrences share one meeting id",
    )
    .option('--template <template>', 'report template: a name or id that aftermeet templates lists')
    .option(
      '--participants <addresses>',
      "e-mail addresses, separated by commas or repeated; 'Ann <ann@x.example>' too. The service itself may write to them",
      collectList,
    );
  addWebhookOptions(command)
    .option('--wait', 'wait until the report is ready, for an hour at most')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet record https://meet.example.com/abc --title "Weekly sync" --template team-sync\n' +
        '  aftermeet record https://meet.example.com/abc --at "tomorrow 10:00"\n' +
        '  aftermeet record https://meet.example.com/abc --endpoint default\n' +
        '  WEBHOOK_SECRET=… aftermeet record https://meet.example.com/abc \\\n' +
        '    --webhook-url https://hooks.example.com/hooks/default',
    )
    .action(async (link: string, options: RecordOptions) => {
      const { json } = options;
      const webhook = await readWebhook(options, context, 'recording');
      const start = readTime(options, context);
      const input = {
        link: addScheme(link),
        ...omitUndefined({
          source: options.source,
          title: options.title,
          localDateTime: start,
          cron: options.cron,
          participants: options.participants?.map(takeAddress),
        }),
        ...webhook.input,
      };
      const { clientOptions } = webhook;
      const { meetingId } = await withService(context, { json, clientOptions }, async (service) => {
        const template = await readTemplate({ ...service, warn: context.writeError }, options.template);
        return service.client.recordings.start(
          { ...input, ...template },
          { ...service.call, allowPast: options.allowPast },
        );
      });
      if (options.endpoint !== undefined) {
        await rememberOrder(context, { meetingId, endpoint: options.endpoint });
      }
      const isLater = options.at !== undefined || options.cron !== undefined;
      if (json !== true) {
        const what = isLater ? 'The recording is planned.' : 'The bot is on its way.';
        const time = describeTime(options, start);
        context.write(`${what}\n${time}Meeting ${cleanLine(meetingId)}\n`);
      }
      const made = { meetingId, ...(start === undefined ? {} : { at: formatIso(Date.parse(start)) }) };
      if (options.wait === true) context.finish(await waitForNewMeeting(context, json, made));
      else if (json === true) context.write(formatJson(made));
      else {
        const wait = isLater ? '' : ' --wait';
        context.write(`Check its status: aftermeet status ${pasteWord(meetingId)}${wait}\n`);
      }
    });
}

/** `meet.example/x` is a web address without its beginning; what has a scheme, or no dot in its host, is left to the client. */
function addScheme(link: string): string {
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(link) ? `https://${link}` : link;
}

/** `Ann <ann@x.example>` is `ann@x.example`. */
function takeAddress(participant: string): string {
  return /^[^<>]*<([^<>]+)>$/.exec(participant)?.[1]?.trim() ?? participant;
}

/** `aftermeet status`: the status of a meeting. */
export function addStatusCommand(program: Command, context: CommandContext): void {
  program
    .command('status')
    .summary('show the status of a meeting')
    .description(
      'Shows the status of a meeting: scheduled, joining, recording, processing, ready, failed, cancelled or unknown, with ' +
        "the service's own word. The service says queued both for a planned recording and for one that waits to be " +
        'processed. --wait asks until the meeting is ready or has failed; if it has failed, the exit code is 1.',
    )
    .argument('<meeting-id>', MEETING_HELP)
    .option('--wait', 'ask until it is ready, for an hour at most')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet status m_42\n  aftermeet status m_42 --wait && aftermeet report get m_42',
    )
    .action(async (meetingId: string, { wait, json }: { wait?: boolean; json?: boolean }) => {
      const status = await withService(context, { json }, (service): Promise<RecordingStatus> =>
        wait === true
          ? waitForMeeting(service, meetingId)
          : service.client.recordings.status(meetingId, service.call),
      );
      context.finish(wait === true && status.phase !== 'ready' ? EXIT_FAILED : EXIT_OK);
      context.write(json === true ? formatJson({ meetingId, ...status }) : `${describeStatus(status)}\n`);
    });
}

/** `aftermeet stop`: ends a recording early. */
export function addStopCommand(program: Command, context: CommandContext): void {
  addEndCommand(program, context, {
    verb: 'stop',
    summary: 'stop a recording before the meeting ends',
    description:
      'Takes the bot out of the meeting; the report is made of what it has recorded. Use aftermeet cancel ' +
      '<meeting-id> for a recording that has not begun.',
    // The service accepts this for any meeting, also a planned or finished one.
    done: (meetingId) =>
      `The service accepted the request.\nCheck the result: aftermeet status ${pasteWord(meetingId)}\n`,
  });
}

/** `aftermeet cancel`: cancels a scheduled recording. */
export function addCancelCommand(program: Command, context: CommandContext): void {
  addEndCommand(program, context, {
    verb: 'cancel',
    summary: 'cancel a scheduled recording',
    description: 'Cancels a recording that has not begun. Use aftermeet stop for one that is running.',
    done: () => 'The scheduled recording was cancelled.\n',
  });
}

interface EndCommand {
  readonly verb: 'stop' | 'cancel';
  readonly summary: string;
  readonly description: string;
  readonly done: (meetingId: string) => string;
}

function addEndCommand(program: Command, context: CommandContext, command: EndCommand): void {
  const { verb, summary, description, done } = command;
  program
    .command(verb)
    .summary(summary)
    .description(description)
    .argument('<meeting-id>', MEETING_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  aftermeet ${verb} m_42`)
    .action(async (meetingId: string, { json }: { json?: boolean }) => {
      const { raw } = await withService(context, { json }, ({ client, call }) =>
        client.recordings[verb](meetingId, call),
      );
      context.write(json === true ? formatJson({ meetingId, answer: raw }) : done(cleanLine(meetingId)));
    });
}
