import type { Finish } from '../meeting-changes.ts';
import type { Meeting } from '../meetings.ts';
import {
  action,
  type Answer,
  type ControlAction,
  type ControlledService,
  findId,
  notFound,
  readText,
} from './action.ts';

const meetingId = { flags: '<meeting-id>', help: 'the meeting' } as const;
const unfinished = ['queued', 'recording', 'processing'];

const eventKind = {
  words: 'an event kind: 1 to 256 characters of visible ASCII',
  // It goes into a header.
  accepts: (value: unknown) => /^[\x21-\x7e]{1,256}$/.test(String(value)),
};

const failureReason = {
  words: 'text of 1 to 2000 characters',
  accepts: (value: unknown) => /^[^]{1,2000}$/.test(String(value)),
};

/** What happens to meetings, and to the deliveries of their events. */
export const meetingActions: readonly ControlAction[] = [
  action({
    command: 'meetings list',
    summary: 'list its meetings',
    description: 'Lists the meetings of a running sandbox, the newest first, and the next change of each.',
    route: 'GET /meetings',
    run: (service) => ({
      meetings: service.meetings
        .list()
        .toReversed()
        .map((meeting) => describeMeeting(service, meeting)),
    }),
  }),
  action({
    command: 'meetings add',
    summary: 'add a finished meeting with content of your own',
    description:
      'Adds a finished meeting to a running sandbox: its report has your texts as they are, and meeting.completed is ' +
      'sent to the webhook_url of the file (in aftermeet dev: to the receiver, if the file names none). Only title ' +
      'is needed; docs/sandbox.md has an example.',
    examples: ['meetings add meeting.json', 'meetings add - < meeting.json', 'meetings add --schema'],
    route: 'POST /meetings',
    takesBody: true,
    run: (service, _values, body) => describeFinish(service.addMeeting(body)),
    says(answer) {
      const id = readText(answer, 'meeting_id');
      return `Meeting ${id} was added, and its report is ready: aftermeet report get ${id}\n${sending('It', answer)}`;
    },
  }),
  action({
    summary: 'start a recording',
    route: 'POST /recordings',
    takesBody: true,
    arguments: {
      title: { flags: '--title <text>', help: 'title' },
      link: { flags: '--link <address>', help: 'link', input: 'url' },
      cron: { flags: '--cron <expression>', help: 'cron expression, for a series' },
      webhook_url: { flags: '--webhook-url <address>', help: 'webhook address', input: 'url' },
      webhook_secret: { flags: '--webhook-secret <text>', help: 'webhook secret', input: 'password' },
    },
    form: 'record',
    run: (service, _values, body) => service.record(body),
  }),
  action({
    command: 'complete',
    summary: 'end a meeting: its report is ready now',
    description: 'Ends a meeting in any state: the report can be read, and meeting.completed is sent.',
    examples: ['complete m_42 --language de'],
    route: 'POST /meetings/:id/complete',
    arguments: {
      id: meetingId,
      is_transcript_empty: { flags: '--empty', help: 'the transcript is empty', type: 'flag' },
      language: { flags: '--language <code>', help: 'language of the content: en, de or ja' },
    },
    buttons: [
      { label: 'Complete', of: 'meeting', states: unfinished },
      { label: 'Complete, empty', of: 'meeting', states: unfinished, body: { is_transcript_empty: true } },
    ],
    run: (service, { id, is_transcript_empty: isTranscriptEmpty, language }) =>
      describeFinish(service.complete(findId(id, service.meetings), { isTranscriptEmpty, language })),
    says: (answer) => `The meeting is over: its report is ready. ${sending('It', answer)}`,
  }),
  action({
    command: 'fail',
    summary: 'let a meeting fail',
    description:
      'Makes the processing of a meeting fail, in any state: meeting.failed is sent. The meeting can be completed later.\n\n' +
      'The reason is a text of your own, or one of bot_not_admitted, meeting_never_started, no_audio and ' +
      'no_audio_track for a text of the sandbox.',
    examples: ['fail m_42 --reason "No audio"'],
    route: 'POST /meetings/:id/fail',
    arguments: {
      id: meetingId,
      reason: {
        flags: '--reason <text>',
        help: 'why: a text, or a word as above; it is in the event',
        rule: failureReason,
      },
    },
    buttons: [{ label: 'Fail', of: 'meeting', states: unfinished }],
    run: (service, { id, reason }) => describeFinish(service.fail(findId(id, service.meetings), { reason })),
    says: (answer) => `The meeting has failed. ${sending('It', answer)}`,
  }),
  action({
    command: 'announce',
    summary: 'send an event of any kind for a meeting',
    description: 'Sends an event of any kind to the webhook address of a meeting, signed like every other.',
    examples: ['announce m_42 meeting.started'],
    route: 'POST /meetings/:id/announce',
    arguments: {
      id: meetingId,
      event: { flags: '<event>', help: 'its kind, such as meeting.started', rule: eventKind },
      data: { flags: '--fields <json>', help: 'more fields of its data, a JSON object', type: 'object' },
    },
    run: (service, { id, event, data }) =>
      describeFinish(service.announce(findId(id, service.meetings), { event, data })),
    says: (answer) => sending('The meeting', answer),
  }),
  action({
    command: 'deliveries',
    summary: 'list its webhook deliveries',
    description:
      'Lists the deliveries of a running sandbox, the newest first, how the last attempt of each ended, and the ' +
      'fault that hit it.\n\n' +
      '--json prints {"items":[...]}, each with id, meetingId, event, receiver (its origin), isSigned, state ' +
      '(waiting, delivered, given_up, dropped), attempts ({at, status or error, elapsedMs}), nextAttemptAt while ' +
      'another one is planned, and fault.',
    route: 'GET /deliveries',
    run: ({ sender }) => ({ deliveries: sender.list() }),
  }),
  action({
    summary: 'show a delivery with its body and headers',
    route: 'GET /deliveries/:id',
    arguments: { id: { flags: '<delivery-id>', help: 'the delivery' } },
    run({ sender }, { id }) {
      const delivery = sender.find(findId(id, sender));
      if (delivery === undefined) throw notFound(UNKNOWN_DELIVERY);
      return { delivery };
    },
  }),
  action({
    command: 'redeliver',
    summary: 'send a delivery again',
    description: 'Sends a delivery again, under the same id; its attempts start over.',
    examples: ['redeliver <delivery-id>'],
    route: 'POST /deliveries/:id/redeliver',
    arguments: {
      id: { flags: '<delivery-id>', help: 'the delivery, as aftermeet sandbox deliveries lists it' },
    },
    buttons: [{ label: 'Deliver again', of: 'delivery' }],
    run({ sender }, { id: given }) {
      const id = findId(given, sender);
      if (!sender.redeliver(id)) throw notFound(UNKNOWN_DELIVERY);
      return { delivery_id: id };
    },
    says: (answer) => `Delivery ${readText(answer, 'delivery_id')} is on its way.`,
  }),
];

const UNKNOWN_MEETING = 'No meeting has this id; aftermeet sandbox meetings lists them.';
const UNKNOWN_DELIVERY = 'No delivery has this id; aftermeet sandbox deliveries lists them.';

function describeMeeting({ lifecycle }: ControlledService, meeting: Meeting): object {
  const nextChangeMs = lifecycle.nextChangeMs(meeting.id);
  return {
    meeting_id: meeting.id,
    title: meeting.title,
    status: meeting.status,
    source: meeting.source,
    local_date_time: meeting.localDateTime,
    cron: meeting.cron,
    script: meeting.scriptId,
    next_change_at: nextChangeMs === undefined ? undefined : new Date(nextChangeMs).toISOString(),
  };
}

function describeFinish(finish: Finish | undefined): object {
  if (finish === undefined) throw notFound(UNKNOWN_MEETING);
  const { meetingId: id, status, deliveryId } = finish;
  return { meeting_id: id, status, delivery_id: deliveryId };
}

/** What became of the event of a meeting. */
function sending(subject: string, answer: Answer): string {
  const id = readText(answer, 'delivery_id');
  return id === ''
    ? `${subject} has no webhook address, so no event is sent.`
    : `Delivery ${id} is being sent: aftermeet sandbox deliveries shows how it went.`;
}
