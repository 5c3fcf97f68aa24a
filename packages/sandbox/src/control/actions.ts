import { operations } from '@aftermeet/contract';
import { z } from 'zod';

import { keyPattern, planNames } from '../account.ts';
import type { AppState } from '../app-state.ts';
import { MAX_ADVANCE_MS } from '../clock.ts';
import { contentLanguages, findContentLanguage } from '../content/load-content.ts';
import { addGivenMeeting, readGivenMeeting, withDefaultWebhook } from '../given-meeting.ts';
import { validateInput } from '../handlers/handlers.ts';
import { recordMeeting } from '../handlers/recordings.ts';
import { advanceClock } from '../lifecycle.ts';
import { announceEvent, completeMeeting, failMeeting, type Finish } from '../meeting-changes.ts';
import type { Meeting } from '../meetings.ts';
import { seedMeetings, seedSchema } from '../seed.ts';
import { shapeAnswer } from '../service-answer.ts';

/** Everything that a control route can be told, and what the page shows of it. */
export interface ControlAction {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under `/_sandbox`, as Express takes it. */
  readonly path: string;
  /** On the page: beside each meeting or delivery in one of these states, or in any. */
  readonly buttons?: readonly ActionButton[];
  /** Returns the body of the answer. Throws `ControlRefusal`. */
  readonly run: (app: AppState, call: ControlCall) => object;
}

interface ActionButton {
  readonly label: string;
  readonly of: 'meeting' | 'delivery' | 'clock' | 'meetings' | 'options';
  readonly states?: readonly string[];
  readonly body?: object;
}

interface ControlCall {
  readonly id: string;
  /** Of the request; an absent one is empty. */
  readonly body: unknown;
}

/** Why a control route does not do what it is told. */
export class ControlRefusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super('the control route refused');
    this.status = status;
    this.body = body;
  }
}

const unfinished = ['queued', 'recording', 'processing'];

/** The routes of `/_sandbox` and the buttons of its page; the commands of `aftermeet sandbox` call the same routes. */
export const controlActions: readonly ControlAction[] = [
  {
    method: 'GET',
    path: '/meetings',
    run: (app) => ({
      meetings: app.meetings
        .list()
        .toReversed()
        .map((meeting) => describeMeeting(app, meeting)),
    }),
  },
  {
    method: 'POST',
    path: '/meetings',
    run(app, { body }) {
      const read = readGivenMeeting(body);
      if (read.ok) return describeFinish(addGivenMeeting(app, read.meeting));
      throw refuse(`${read.problems.join('; ')}.`, read.problems);
    },
  },
  {
    method: 'POST',
    path: '/recordings',
    run: (app, { body }) => record(app, readBody(recordingSchema, body)),
  },
  {
    method: 'POST',
    path: '/meetings/:id/complete',
    buttons: [
      { label: 'Complete', of: 'meeting', states: unfinished },
      { label: 'Complete, empty', of: 'meeting', states: unfinished, body: { is_transcript_empty: true } },
    ],
    run(app, { id, body }) {
      const { is_transcript_empty: isTranscriptEmpty, language } = readBody(completionSchema, body);
      return describeFinish(
        completeMeeting(app, completeMeetingId(app, id), { isTranscriptEmpty, language }),
      );
    },
  },
  {
    method: 'POST',
    path: '/meetings/:id/fail',
    buttons: [{ label: 'Fail', of: 'meeting', states: unfinished }],
    run: (app, { id, body }) =>
      describeFinish(failMeeting(app, completeMeetingId(app, id), readBody(failureSchema, body))),
  },
  {
    method: 'POST',
    path: '/meetings/:id/announce',
    run: (app, { id, body }) =>
      describeFinish(announceEvent(app, completeMeetingId(app, id), readBody(announcementSchema, body))),
  },
  {
    method: 'POST',
    path: '/seed',
    buttons: [{ label: 'Add finished meetings', of: 'meetings' }],
    run(app, { body }) {
      const { meetingIds, tagIds } = seedMeetings(app, readBody(seedSchema, body));
      return { meeting_ids: meetingIds, tag_ids: tagIds };
    },
  },
  { method: 'GET', path: '/deliveries', run: ({ sender }) => ({ deliveries: sender.list() }) },
  {
    method: 'GET',
    path: '/deliveries/:id',
    run: (app, { id }) => ({ delivery: app.sender.find(completeId(app, id)) ?? unknownDelivery() }),
  },
  {
    method: 'POST',
    path: '/deliveries/:id/redeliver',
    buttons: [{ label: 'Deliver again', of: 'delivery' }],
    run(app, call) {
      const id = completeId(app, call.id);
      return app.sender.redeliver(id) ? { delivery_id: id } : unknownDelivery();
    },
  },
  { method: 'GET', path: '/clock', run: describeClock },
  {
    method: 'POST',
    path: '/clock',
    buttons: [
      { label: '+ 1 minute', of: 'clock', body: { advance_seconds: 60 } },
      { label: '+ 15 minutes', of: 'clock', body: { advance_seconds: 900 } },
      { label: '+ 1 hour', of: 'clock', body: { advance_seconds: 3600 } },
      { label: '+ 1 day', of: 'clock', body: { advance_seconds: 86_400 } },
    ],
    // Everything that becomes due by an advance has happened before the answer.
    run(app, { body }) {
      const { advance_seconds: seconds = 0 } = readBody(clockSchema, body);
      try {
        advanceClock(app, seconds * 1000);
      } catch (error) {
        if (error instanceof RangeError) throw refuse(error.message);
        throw error;
      }
      return describeClock(app);
    },
  },
  { method: 'GET', path: '/options', run: ({ options }) => ({ options: options.get() }) },
  {
    method: 'PATCH',
    path: '/options',
    run({ options }, { body }) {
      const outcome = options.trySet(body);
      if ('refusal' in outcome) throw refuse(outcome.refusal);
      return outcome;
    },
  },
  {
    method: 'DELETE',
    path: '/options',
    buttons: [{ label: 'Reset the options', of: 'options' }],
    run({ options }) {
      options.reset();
      return { options: options.get() };
    },
  },
  {
    method: 'POST',
    path: '/key',
    run: ({ account }, { body }) => ({ key: account.changeKey(readBody(keySchema, body).key) }),
  },
  { method: 'GET', path: '/plan', run: describePlan },
  {
    method: 'POST',
    path: '/plan',
    run(app, { body }) {
      const { plan: name, minutes_left: minutesLeft = app.account.plan().minutesLeft } = readBody(
        planSchema,
        body,
      );
      app.account.changePlan({ name, minutesLeft });
      return describePlan(app);
    },
  },
  { method: 'GET', path: '/uploads', run: ({ uploads }) => ({ uploads: uploads.list() }) },
];

// What the bodies may hold

const objectSchema = z.record(z.string(), z.unknown());

/** An empty field is left out, as a form sends it. */
const recordingSchema = objectSchema.transform((fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
);

const completionSchema = z.strictObject({
  is_transcript_empty: z.boolean().optional(),
  language: z
    .string()
    .transform(findContentLanguage)
    .refine((language) => language !== undefined, {
      error: `must be one of ${contentLanguages.join(', ')}`,
    })
    .optional(),
});

const failureSchema = z.strictObject({
  reason: z
    .string()
    .regex(/^[^]{1,2000}$/, { error: 'must be text of 1 to 2000 characters' })
    .optional(),
});

const announcementSchema = z.strictObject({
  // It goes into a header.
  event: z.string().regex(/^[\x21-\x7e]{1,256}$/, {
    error: 'must be an event kind: 1 to 256 characters of visible ASCII',
  }),
  data: objectSchema.optional(),
});

const MAX_ADVANCE_SECONDS = MAX_ADVANCE_MS / 1000;
const advanceError = `must be 0 to ${String(MAX_ADVANCE_SECONDS)} (a year); call several times for more`;

const clockSchema = z.strictObject({
  advance_seconds: z
    .number({ error: 'must be a number' })
    .min(0, { error: advanceError })
    .max(MAX_ADVANCE_SECONDS, { error: advanceError })
    .optional(),
});

const keySchema = z.strictObject({
  key: z.string().regex(keyPattern, { error: 'must be 1 to 200 visible ASCII characters' }).optional(),
});

const minutesError = 'must be a whole number of minutes, or null for minutes that are not counted';

const planSchema = z.strictObject({
  plan: z.enum(planNames),
  minutes_left: z.int({ error: minutesError }).min(0, { error: minutesError }).nullable().optional(),
});

/** Throws a refusal that names the first wrong field. */
function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  throw refuse(`${place}: ${issue?.message ?? 'is invalid'}.`);
}

/** `problems`: all that is wrong, where there may be more than one. */
function refuse(message: string, problems?: readonly string[]): ControlRefusal {
  return new ControlRefusal(400, { code: 'INVALID_REQUEST', message, problems });
}

// What the actions do and show

/** The operation that starts a recording, without a key; link and webhook are filled in where there is none. */
function record(app: AppState, given: object): object {
  const fields = withDefaultWebhook(app, given);
  const body = 'link' in fields ? fields : { ...fields, link: `https://meet.example/${app.makeId()}` };
  const valid = validateInput(operations.recordings.start, { path: {}, query: {}, body, form: {} });
  const started = valid.ok ? recordMeeting(app, valid.input) : { refusal: valid.answer };
  if ('refusal' in started) {
    const refusal = shapeAnswer(started.refusal, { errorShape: 'json', extraFields: false });
    throw new ControlRefusal(refusal.status, 'json' in refusal ? Object(refusal.json) : {});
  }
  const { id, status, title, source, localDateTime } = started.meeting;
  return { meeting_id: id, status, title, source, local_date_time: localDateTime };
}

function describeMeeting({ lifecycle }: AppState, meeting: Meeting): object {
  const nextChangeMs = lifecycle.nextChangeMs(meeting.id);
  return {
    meeting_id: meeting.id,
    title: meeting.title,
    status: meeting.status,
    source: meeting.source,
    local_date_time: meeting.localDateTime,
    ...(meeting.cron !== undefined && { cron: meeting.cron }),
    script: meeting.scriptId,
    ...(nextChangeMs !== undefined && { next_change_at: new Date(nextChangeMs).toISOString() }),
  };
}

function describeFinish(finish: Finish | undefined): object {
  if (finish === undefined) {
    throw new ControlRefusal(404, {
      code: 'NOT_FOUND',
      message: 'No meeting has this id; aftermeet sandbox meetings lists them.',
    });
  }
  const { meetingId, status, deliveryId } = finish;
  return { meeting_id: meetingId, status, ...(deliveryId && { delivery_id: deliveryId }) };
}

/** The id of the one delivery that begins with these eight characters or more; otherwise what was given. */
function completeId({ sender }: AppState, given: string): string {
  return findWholeId(given, sender.list());
}

/** A meeting by the beginning of its id, as tables show it. */
function completeMeetingId({ meetings }: AppState, given: string): string {
  return findWholeId(given, meetings.list());
}

/** The id that begins so, from eight characters on; else what was given. */
function findWholeId(given: string, known: readonly { readonly id: string }[]): string {
  const found = given.length < 8 ? [] : known.filter(({ id }) => id.startsWith(given));
  return found.length === 1 ? (found[0]?.id ?? given) : given;
}

function unknownDelivery(): never {
  const message = 'No delivery has this id; GET /_sandbox/deliveries lists them.';
  throw new ControlRefusal(404, { code: 'NOT_FOUND', message });
}

function describeClock({ clock, lifecycle }: AppState): object {
  return { now: new Date(clock.now()).toISOString(), transitions: lifecycle.transitions };
}

function describePlan({ account }: AppState): object {
  const { name, minutesLeft } = account.plan();
  return { plan: name, minutes_left: minutesLeft };
}
