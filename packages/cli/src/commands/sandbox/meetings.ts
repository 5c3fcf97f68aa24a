import { type Command, InvalidArgumentError } from 'commander';

import { type CommandContext, tableView } from '../../context.ts';
import { omitUndefined } from '../../options.ts';
import { formatMoment, type Column, formatTable } from '../../terminal/format.ts';
import { addMeetingAddCommand } from './add-meeting.ts';
import { addControlOptions, createShow, describeSending, getRows, getText } from './control.ts';

const columns: readonly Column<object>[] = [
  { title: 'START (UTC)', read: (row) => readMoment(row, 'localDateTime'), leftOut: 1 },
  { title: 'TITLE', read: (row) => getText(row, 'title'), shrinks: true },
  { title: 'STATE', read: (row) => getText(row, 'status'), isState: true },
  { title: 'NEXT CHANGE (UTC)', read: (row) => readMoment(row, 'nextChangeAt'), leftOut: 2 },
  // Whole: the service knows a meeting by its whole id only.
  { title: 'MEETING', read: (row) => getText(row, 'meetingId') },
];

/** `aftermeet sandbox meetings`, `complete`, `fail` and `announce`. */
export function addMeetingCommands(sandbox: Command, context: CommandContext): void {
  const show = createShow(context);
  const meetings = sandbox
    .command('meetings')
    .summary('list its meetings, or add one')
    .description('Lists the meetings of a running sandbox. With add, adds one with content of your own.');
  // The command without a subcommand: options of `meetings` itself would hide those of `add`.
  addControlOptions(meetings.command('list', { isDefault: true }), 'sandbox meetings')
    .summary('list its meetings')
    .description('Lists the meetings of a running sandbox, the newest first, and the next change of each.')
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'GET', path: '/meetings' }, (answer) => {
        const rows = getRows(answer, 'items');
        if (rows.length === 0) return 'There is no meeting: aftermeet sandbox seed makes some.\n';
        return formatTable(rows, columns, tableView(context));
      }),
    );
  addMeetingAddCommand(meetings, context);
  addControlOptions(sandbox.command('complete'), 'sandbox complete m_42 --language de')
    .summary('end a meeting: its report is ready now')
    .description('Ends a meeting in any state: the report can be read, and meeting.completed is sent.')
    .argument('<meeting-id>', 'the meeting')
    .option('--empty', 'the transcript is empty')
    .option('--language <code>', 'language of the content: en, de or ja')
    .action((id: string, { empty, language }: { empty?: boolean; language?: string }, command: Command) =>
      show(
        command,
        post(id, 'complete', omitUndefined({ is_transcript_empty: empty, language })),
        (answer) => `The meeting is over: its report is ready. ${describeSending('It', answer)}`,
      ),
    );
  addControlOptions(sandbox.command('fail'), 'sandbox fail m_42 --reason "No audio"')
    .summary('let a meeting fail')
    .description(
      'Makes the processing of a meeting fail, in any state: meeting.failed is sent. The meeting can be completed later.\n\n' +
        'The reason is a text of your own, or one of bot_not_admitted, meeting_never_started, no_audio and ' +
        'no_audio_track for a text of the sandbox.',
    )
    .argument('<meeting-id>', 'the meeting')
    .option('--reason <text>', 'why: a text, or a word as above; it is in the event')
    .action((id: string, { reason }: { reason?: string }, command: Command) =>
      show(
        command,
        post(id, 'fail', omitUndefined({ reason })),
        (answer) => `The meeting has failed. ${describeSending('It', answer)}`,
      ),
    );
  addControlOptions(sandbox.command('announce'), 'sandbox announce m_42 meeting.started')
    .summary('send an event of any kind for a meeting')
    .description('Sends an event of any kind to the webhook address of a meeting, signed like every other.')
    .argument('<meeting-id>', 'the meeting')
    .argument('<event>', 'its kind, such as meeting.started')
    .option('--fields <json>', 'more fields of its data, a JSON object', readObject)
    .action((id: string, event: string, { fields: data }: { fields?: object }, command: Command) =>
      show(command, post(id, 'announce', { event, ...omitUndefined({ data }) }), (answer) =>
        describeSending('The meeting', answer),
      ),
    );
}

function post(meetingId: string, verb: string, body: object) {
  return { method: 'POST', path: `/meetings/${encodeURIComponent(meetingId)}/${verb}`, body } as const;
}

function readMoment(row: object, name: string): string | undefined {
  const text = getText(row, name);
  return text === undefined || Number.isNaN(Date.parse(text))
    ? text
    : formatMoment(new Date(text).toISOString());
}

function readObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below, like every other text that is not an object.
  }
  throw new InvalidArgumentError('Expected a JSON object.');
}
