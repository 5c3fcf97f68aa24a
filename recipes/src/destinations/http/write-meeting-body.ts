import { dropInvisible } from '../../report/clean-text.ts';
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

/**
 * A finished meeting as JSON text, in the shape that Standard Webhooks recommends: `type`, `timestamp`, `data`. A part
 * that is not wanted is absent; what the report does not say is null. New fields may come; `data.version` goes up when
 * one changes its meaning.
 */
export function writeMeetingBody(digest: Digest, { parts, hasEmails }: BodyOptions): string {
  const { startedAt, durationSeconds } = digest;
  return JSON.stringify({
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
      tags: digest.tags,
      templates: digest.templates.map(({ name }) => name),
      is_cut: digest.isCut,
      ...(parts.has('summary') ? { summary: plainText(digest.summary) } : {}),
      ...(parts.has('decisions')
        ? { decisions: digest.decisions.map((decision) => plainText(decision)) }
        : {}),
      ...(parts.has('tasks') ? { tasks: listTasks(digest, hasEmails) } : {}),
      ...(parts.has('sections')
        ? { sections: digest.sections.map(({ title, text }) => ({ title, text: plainText(text) })) }
        : {}),
      ...(parts.has('transcript') ? { transcript: listChapters(digest) } : {}),
    },
  });
}

/** When the meeting was over, by its report: ISO 8601 in UTC. The report's own start where its length is not known. */
function findEnd({ startedAt, durationSeconds = 0 }: Digest): string | undefined {
  const startMs = Date.parse(startedAt ?? '');
  const end = new Date(startMs + Math.max(0, durationSeconds) * 1000);
  return Number.isNaN(end.getTime()) ? startedAt : end.toISOString();
}

function listTasks({ taskGroups }: Digest, hasEmails: boolean): readonly object[] {
  return taskGroups.flatMap((group) => group.tasks.map((task) => writeTask(task, group, hasEmails)));
}

function writeTask(
  { key, text, state, due, dueDate, atSeconds }: DigestTask,
  { owner, email }: TaskGroup,
  hasEmails: boolean,
): object {
  return {
    key,
    text: plainText(text),
    state: state ?? 'open',
    owner: owner ?? null,
    ...(hasEmails ? { owner_email: email ?? null } : {}),
    due: due ?? null,
    due_date: dueDate ?? null,
    at_seconds: atSeconds ?? null,
  };
}

function listChapters({ transcript = [] }: Digest): readonly object[] {
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
