import { formatProblem, type Rule, secret, startTime, webAddress } from '@aftermeet/contract';
import { parseSchema } from '@aftermeet/contract/schema';
import { z } from 'zod';

import type { AppState } from './app-state.ts';
import { givenContentShape, isGivenContentEmpty } from './content/given-content.ts';
import { completeMeeting, type Finish } from './meeting-changes.ts';
import { sandboxUser, UPLOAD_SOURCE, type Meeting } from './meetings.ts';

/** A finished meeting with content of one's own: the file of `aftermeet sandbox meetings add`. */
const givenMeetingSchema = z.strictObject({
  title: z.string().min(1, { error: 'text that is not empty' }),
  start: asSchema(startTime).optional().meta({ description: 'ISO 8601 with a UTC offset. Default: now' }),
  ...givenContentShape,
  template_name: z
    .string()
    .min(1, { error: 'text that is not empty' })
    .default('default-meeting')
    .meta({ description: 'The name of the template that has these blocks' }),
  tags: z
    .array(z.string().regex(/^(?=.*\S).{1,24}$/u, { error: 'the name of a tag, at most 24 characters' }))
    .default([]),
  webhook_url: asSchema(webAddress).optional().meta({ description: 'Where the events of this meeting go' }),
  webhook_secret: asSchema(secret).optional().meta({ description: 'Signs the events of this meeting' }),
});

/** A rule of the contract within a schema. */
function asSchema(rule: Rule<string>) {
  return z
    .string({ error: rule.words })
    .refine((value) => rule.check(value).length === 0, {
      error: ({ input }) => rule.check(input)[0]?.expected ?? rule.words,
    })
    .meta(rule.schema);
}

export type GivenMeeting = z.infer<typeof givenMeetingSchema>;

export type GivenMeetingResult =
  | { readonly ok: true; readonly meeting: GivenMeeting }
  /** One line each: the path, and what is expected there. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks a meeting from outside, and lists everything that is wrong with it. */
export function readGivenMeeting(value: unknown): GivenMeetingResult {
  const result = parseSchema(givenMeetingSchema, value);
  if (result.ok) return { ok: true, meeting: result.value };
  return {
    ok: false,
    problems: result.problems.map((problem) =>
      problem.path.length === 0 ? formatProblem(problem, 'The meeting') : formatProblem(problem),
    ),
  };
}

/** The JSON Schema of such a meeting. */
export function describeGivenMeeting(): object {
  return z.toJSONSchema(givenMeetingSchema, { io: 'input' });
}

/**
 * Adds the meeting. It is over: its report is ready, and `meeting.completed` is sent to its webhook address or, without
 * one, to the default one of the sandbox. No minutes are used.
 */
export function addGivenMeeting(app: AppState, given: GivenMeeting): Finish {
  const { title, start, template_name: templateName, tags, ...rest } = withDefaultWebhook(app, given);
  const { webhook_url: webhookUrl, webhook_secret: webhookSecret, ...content } = rest;
  const nowMs = app.clock.now();
  const meeting: Meeting = {
    id: app.makeId(),
    title,
    source: UPLOAD_SOURCE,
    authorId: sandboxUser.id,
    localDateTime: start ?? new Date(nowMs).toISOString(),
    isScheduled: false,
    templates: [{ id: app.makeId(), templateName, edits: [] }],
    tagIds: [...new Set(tags.map((name) => findOrMakeTag(app, name)))],
    webhookUrl,
    webhookSecret,
    status: 'processing',
    statusSinceMs: nowMs,
    isTranscriptEmpty: false,
    areMinutesUsed: true,
    scriptId: 'given',
    content,
  };
  app.meetings.put(meeting);
  app.observe({ kind: 'meeting_recorded', meetingId: meeting.id });
  const finish = completeMeeting(app, meeting.id, { isTranscriptEmpty: isGivenContentEmpty(content) });
  if (finish === undefined) throw new Error('The meeting was removed while it was added.');
  return finish;
}

interface WebhookFields {
  readonly webhook_url?: string | undefined;
  readonly webhook_secret?: string | undefined;
}

/** The fields with the default address and its secret where they name no address. The secret never goes elsewhere. */
export function withDefaultWebhook<Fields extends object>(
  { defaultWebhook }: Pick<AppState, 'defaultWebhook'>,
  fields: Fields & WebhookFields,
): Fields & WebhookFields {
  if (defaultWebhook === undefined || fields.webhook_url !== undefined) return fields;
  return { ...fields, webhook_url: defaultWebhook.url, webhook_secret: defaultWebhook.secret };
}

/** The id of the tag of this name, which is added where there is none. */
export function findOrMakeTag(
  { tags, makeId }: Pick<AppState, 'tags' | 'makeId'>,
  name: string,
  color = 'blue',
): string {
  const known = tags.findByName(name);
  if (known !== undefined) return known.id;
  const id = makeId();
  tags.put({ id, name, color });
  return id;
}
