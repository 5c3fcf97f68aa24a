import { z } from 'zod';

import type { MeetingEvent } from '../../engine/recipe.ts';
import { cleanLine, cleanText, cutText, dropInvisible } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { plainText } from '../../report/plain-text.ts';
import type { DigestTask, TaskGroup } from '../../report/tasks.ts';

/** What of a report can be left out of a body. */
export const meetingParts = ['summary', 'decisions', 'tasks', 'sections', 'transcript'] as const;
type MeetingPart = (typeof meetingParts)[number];

export interface BodyOptions {
  readonly parts: ReadonlySet<MeetingPart>;
  /** Addresses of participants and owners, where the report has them. */
  readonly hasEmails: boolean;
}

const seconds = z.number().nullable();

const taskSchema = z.strictObject({
  key: z.string().describe('The same for the same words and owner in every version of the report.'),
  text: z.string().describe('Plain text.'),
  state: z.enum(['open', 'done', 'cancelled']).describe('How it ended, or open.'),
  owner: z.string().nullable().describe('The name of the owner.'),
  owner_email: z.string().nullable().optional().describe('Only with `emails`.'),
  due: z.string().nullable().describe('The due date in the words of the report.'),
  due_date: z.string().nullable().describe('YYYY-MM-DD, when `due` is clearly a date.'),
  at_seconds: seconds.describe('Where in the recording, in seconds.'),
});

/** `data` of a body. The documentation is generated from these descriptions. */
const meetingDataSchema = z.strictObject({
  version: z
    .literal(1)
    .describe('Goes up when a field changes its meaning. New fields may come without that.'),
  meeting_id: z.string().describe('The id of the meeting. All meetings of a series may share one.'),
  title: z.string().describe('At most 300 characters.'),
  started_at: z.string().nullable().describe('ISO 8601, in UTC.'),
  utc_offset: z.string().nullable().describe('The offset of the meeting, such as +03:00.'),
  duration_seconds: seconds.describe('How long it was.'),
  source: z.string().nullable().describe('Where it was held, such as zoom.'),
  participants: z
    .array(
      z.strictObject({
        name: z.string().nullable().describe('As the report writes it.'),
        email: z.string().nullable().optional().describe('Only with `emails`.'),
      }),
    )
    .describe('Who took part.'),
  tags: z.array(z.string()).describe('The tags of the meeting.'),
  templates: z.array(z.string()).describe('Names of the templates that the report was made with.'),
  is_cut: z.boolean().describe('The report holds more than is sent.'),
  summary: z.string().optional().describe('Plain text. With `include: [summary]`.'),
  decisions: z.array(z.string()).optional().describe('Plain text. With `include: [decisions]`.'),
  tasks: z.array(taskSchema).optional().describe('Grouped by owner. With `include: [tasks]`.'),
  sections: z
    .array(
      z.strictObject({
        title: z.string().describe('The name of the section.'),
        text: z.string().describe('Plain text.'),
      }),
    )
    .optional()
    .describe('Further sections of the report. With `include: [sections]`.'),
  transcript: z
    .array(
      z.strictObject({
        name: z.string().nullable().describe('The name of the chapter.'),
        start_seconds: seconds.describe('Where it begins.'),
        turns: z
          .array(
            z.strictObject({
              speaker: z.string().nullable().describe('Who speaks.'),
              text: z.string().describe('What is said.'),
              start_seconds: seconds.describe('Where it begins.'),
            }),
          )
          .describe('Its lines.'),
      }),
    )
    .optional()
    .describe('The chapters. With `include: [transcript]`.'),
});

const bodySchema = z.strictObject({
  type: z.literal('meeting.completed').describe('The kind of event.'),
  timestamp: z.string().nullable().describe('When the meeting ended, by its report: ISO 8601, in UTC.'),
  data: meetingDataSchema.describe('The meeting.'),
});

const failedBodySchema = z.strictObject({
  type: z.literal('meeting.failed').describe('The kind of event.'),
  timestamp: z.string().describe('When the meeting failed: ISO 8601.'),
  data: z
    .strictObject({
      version: z.literal(1).describe('As above.'),
      meeting_id: z.string().describe('The id of the meeting.'),
      title: z.string().nullable().describe('At most 300 characters.'),
      reason: z
        .string()
        .nullable()
        .describe('Why it failed, in the words of the service. At most 1000 characters.'),
    })
    .describe('The meeting.'),
});

export type FailedBody = z.output<typeof failedBodySchema>;

export type MeetingBody = z.output<typeof bodySchema>;
type BodyTask = z.output<typeof taskSchema>;

/** One field of a body, for people. */
export interface BodyField {
  /** `data.tasks[].owner`. */
  readonly path: string;
  /** `text or null`. */
  readonly type: string;
  readonly description: string;
}

/** Every field of a body, in its order. */
export function describeMeetingBody(): readonly BodyField[] {
  return describeFields(bodySchema, '');
}

/** Every field of the body of a failed meeting. */
export function describeFailedBody(): readonly BodyField[] {
  return describeFields(failedBodySchema, '');
}

function describeFields(schema: z.ZodObject, prefix: string): readonly BodyField[] {
  return Object.entries(schema.shape).flatMap(([name, field]: [string, z.ZodType]) => {
    const { type, inner } = describeType(field);
    const path = `${prefix}${name}`;
    const below = type.startsWith('list') ? `${path}[].` : `${path}.`;
    const own = { path, type, description: field.description ?? '' };
    return [own, ...(inner === undefined ? [] : describeFields(inner, below))];
  });
}

/** A type in words, and the object that it is or is a list of. */
function describeType(field: z.core.$ZodType): { readonly type: string; readonly inner?: z.ZodObject } {
  if (field instanceof z.ZodOptional) return describeType(field.unwrap());
  if (field instanceof z.ZodNullable) return { type: `${describeType(field.unwrap()).type} or null` };
  if (field instanceof z.ZodObject) return { type: 'object', inner: field };
  if (field instanceof z.ZodLiteral) return { type: JSON.stringify(field.value) };
  if (field instanceof z.ZodEnum) return { type: field.options.join(', ') };
  if (field instanceof z.ZodNumber) return { type: 'number' };
  if (field instanceof z.ZodBoolean) return { type: 'true or false' };
  if (!(field instanceof z.ZodArray)) return { type: 'text' };
  const { type, inner } = describeType(field.element);
  return inner === undefined ? { type: `list of ${type}s` } : { type: 'list of objects', inner };
}

/**
 * A finished meeting, in the shape that Standard Webhooks recommends: `type`, `timestamp`, `data`. A part that is not wanted
 * is absent; what the report does not say is null.
 */
export function makeMeetingBody(digest: Digest, { parts, hasEmails }: BodyOptions): MeetingBody {
  const { startedAt, durationSeconds } = digest;
  const wanted = <Value>(part: MeetingPart, make: () => Value) => (parts.has(part) ? make() : undefined);
  return {
    type: 'meeting.completed',
    timestamp: findEnd(digest) ?? null,
    data: {
      version: 1,
      meeting_id: dropInvisible(digest.meetingId),
      title: digest.title,
      started_at: startedAt ?? null,
      utc_offset: digest.utcOffset ?? null,
      duration_seconds: durationSeconds ?? null,
      source: digest.source ?? null,
      participants: hasEmails
        ? digest.attendees.map(({ name, email }) => ({ name: name ?? null, email: email ?? null }))
        : digest.people.map((name) => ({ name })),
      tags: [...digest.tags],
      templates: digest.templates.map(({ name }) => name),
      is_cut: digest.isCut,
      summary: wanted('summary', () => plainText(digest.summary)),
      decisions: wanted('decisions', () => digest.decisions.map((decision) => plainText(decision))),
      tasks: wanted('tasks', () => listTasks(digest, hasEmails)),
      sections: wanted('sections', () =>
        digest.sections.map(({ title, text }) => ({ title, text: plainText(text) })),
      ),
      transcript: wanted('transcript', () => listChapters(digest)),
    },
  };
}

/** A failed meeting, in the same shape. */
export function makeFailedBody({ meetingId, occurrence, title = '', reason = '' }: MeetingEvent): FailedBody {
  return {
    type: 'meeting.failed',
    timestamp: occurrence,
    data: {
      version: 1,
      meeting_id: dropInvisible(meetingId),
      title: cutText(cleanLine(title.slice(0, 4 * MAX_TITLE)), MAX_TITLE) || null,
      reason: cutText(cleanText(reason.slice(0, 4 * MAX_REASON)).trim(), MAX_REASON) || null,
    },
  };
}

const MAX_TITLE = 300;
const MAX_REASON = 1000;

/** When the meeting was over, by its report: ISO 8601 in UTC. The report's own start where its length is not known. */
function findEnd({ startedAt, durationSeconds = 0 }: Digest): string | undefined {
  const startMs = Date.parse(startedAt ?? '');
  const end = new Date(startMs + Math.max(0, durationSeconds) * 1000);
  return Number.isNaN(end.getTime()) ? startedAt : end.toISOString();
}

function listTasks({ taskGroups }: Digest, hasEmails: boolean): BodyTask[] {
  return taskGroups.flatMap((group) => group.tasks.map((task) => writeTask(task, group, hasEmails)));
}

function writeTask(
  { key, text, state, due, dueDate, atSeconds }: DigestTask,
  { owner, email }: TaskGroup,
  hasEmails: boolean,
): BodyTask {
  return {
    key,
    text: plainText(text),
    state: state ?? 'open',
    owner: owner ?? null,
    owner_email: hasEmails ? (email ?? null) : undefined,
    due: due ?? null,
    due_date: dueDate ?? null,
    at_seconds: atSeconds ?? null,
  };
}

function listChapters({ transcript = [] }: Digest): NonNullable<MeetingBody['data']['transcript']> {
  return transcript.map(({ name, startSeconds, turns }) => ({
    name: name ?? null,
    start_seconds: startSeconds ?? null,
    turns: turns.map((turn) => ({
      speaker: turn.speaker ?? null,
      text: turn.text,
      start_seconds: turn.startSeconds ?? null,
    })),
  }));
}
