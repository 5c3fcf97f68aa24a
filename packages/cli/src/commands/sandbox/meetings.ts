import { type Command, InvalidArgumentError } from 'commander';

import type { Context } from '../../context.ts';
import { dropAbsent } from '../../drop-absent.ts';
import { addSteeringOptions, createShow } from '../../steering/add-steering-command.ts';
import { readRows, readText } from '../../steering/steer.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { formatMoment } from '../../terminal/format-moment.ts';
import { type Column, formatTable } from '../../terminal/format-table.ts';
import { readTableWidth } from '../../terminal/read-table-width.ts';

const columns: readonly Column<object>[] = [
  { title: 'MEETING', read: (row) => readText(row, 'meeting_id') },
  { title: 'TITLE', read: (row) => readText(row, 'title'), shrinks: true },
  { title: 'STATUS', read: (row) => readText(row, 'status') },
  { title: 'START (UTC)', read: (row) => readMoment(row, 'local_date_time') },
  { title: 'NEXT CHANGE (UTC)', read: (row) => readMoment(row, 'next_change_at') },
];

/** `aftermeet sandbox meetings`, `complete`, `fail` and `announce`: what ends a meeting at once. */
export function addMeetingCommands(sandbox: Command, context: Context): void {
  const show = createShow(context);
  addSteeringOptions(sandbox.command('meetings'), 'sandbox meetings')
    .summary('list its meetings')
    .description(
      'Lists the meetings of a running sandbox, the newest last, and when each moves on by itself.',
    )
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'GET', path: '/meetings' }, (answer) => {
        const rows = readRows(answer, 'meetings');
        if (rows.length === 0) return 'There is no meeting: aftermeet sandbox seed makes some.\n';
        return formatTable(rows, columns, readTableWidth(context));
      }),
    );
  addSteeringOptions(sandbox.command('complete'), 'sandbox complete m_42 --language de')
    .summary('end a meeting: its report is ready now')
    .description('Ends a meeting, whatever its state: the report can be read, and meeting.completed is sent.')
    .argument('<meeting-id>', 'the meeting')
    .option('--empty', 'nobody spoke')
    .option('--language <code>', 'language of what was said: en, de, fr, es, ru, zh or ja')
    .action((id: string, { empty, language }: { empty?: boolean; language?: string }, command: Command) =>
      show(
        command,
        post(id, 'complete', dropAbsent({ is_transcript_empty: empty, language })),
        (answer) => `The meeting is over: its report is ready. ${describeSending('It', answer)}`,
      ),
    );
  addSteeringOptions(sandbox.command('fail'), 'sandbox fail m_42 --reason "No audio"')
    .summary('let a meeting fail')
    .description(
      'Lets a meeting fail, whatever its state: meeting.failed is sent. It may be completed later.\n\n' +
        'The reason is a text of your own, or one of bot_not_admitted, meeting_never_started, no_audio and ' +
        'no_audio_track for a text of the sandbox.',
    )
    .argument('<meeting-id>', 'the meeting')
    .option('--reason <text>', 'why: a text, or a word as above; told in the event')
    .action((id: string, { reason }: { reason?: string }, command: Command) =>
      show(
        command,
        post(id, 'fail', dropAbsent({ reason })),
        (answer) => `The meeting has failed. ${describeSending('It', answer)}`,
      ),
    );
  addSteeringOptions(sandbox.command('announce'), 'sandbox announce m_42 meeting.started')
    .summary('send an event of any kind for a meeting')
    .description('Sends an event of any kind to the webhook address of a meeting, signed as every other.')
    .argument('<meeting-id>', 'the meeting')
    .argument('<event>', 'its kind, such as meeting.started')
    .option('--fields <json>', 'more fields of its data, a JSON object', readObject)
    .action((id: string, event: string, { fields: data }: { fields?: object }, command: Command) =>
      show(command, post(id, 'announce', { event, ...dropAbsent({ data }) }), (answer) =>
        describeSending('The meeting', answer),
      ),
    );
}

function post(meetingId: string, verb: string, body: object) {
  return { method: 'POST', path: `/meetings/${encodeURIComponent(meetingId)}/${verb}`, body } as const;
}

/** Whether it gets there is not known yet. */
function describeSending(subject: string, answer: unknown): string {
  const deliveryId = readText(answer, 'delivery_id');
  return deliveryId === undefined
    ? `${subject} has no webhook address, so nobody was told.\n`
    : `Delivery ${cleanLine(deliveryId)} is being sent: aftermeet sandbox deliveries shows how it went.\n`;
}

function readMoment(row: object, name: string): string | undefined {
  const text = readText(row, name);
  return text === undefined || Number.isNaN(Date.parse(text))
    ? text
    : formatMoment(new Date(text).toISOString());
}

function readObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, as for every other text that is no object.
  }
  throw new InvalidArgumentError('Expected a JSON object.');
}
