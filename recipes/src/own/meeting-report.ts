import type { Digest } from '../report/digest.ts';
import { findOrganiser } from '../report/people.ts';
import type { TaskGroup } from '../report/tasks.ts';
import { toMarkdown } from '../report/to-markdown.ts';

/** A person who took part. */
export interface ReportPerson {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** Ids in Slack and Notion, where `people` in `aftermeet.yaml` has them. */
  readonly slack?: string | undefined;
  readonly notion?: string | undefined;
}

export interface ReportTask {
  /** Lowercase hex; the same for the same words and owner in every version of the report. */
  readonly key: string;
  /** Markdown. */
  readonly text: string;
  readonly owner?: ReportPerson | undefined;
  /** The due date as the service wrote it. */
  readonly due?: string | undefined;
  /** `YYYY-MM-DD`; absent when `due` is not clearly a date. */
  readonly dueDate?: string | undefined;
  /** `open`, `done` or `cancelled`. */
  readonly state: 'open' | 'done' | 'cancelled';
}

/** The report of a meeting as recipes see it. Texts are Markdown; what was markup by chance is escaped. */
export interface MeetingReport {
  readonly meetingId: string;
  /** Plain text. */
  readonly title: string;
  /** ISO 8601, in UTC. */
  readonly startedAt?: string | undefined;
  /** The meeting's own offset: `+03:00`. */
  readonly utcOffset?: string | undefined;
  readonly durationSeconds?: number | undefined;
  /** Where it was held, such as `zoom`. */
  readonly platform?: string | undefined;
  readonly participants: readonly ReportPerson[];
  /** The first participant with an address of the installation's own: reports do not name an organiser. */
  readonly organiser?: ReportPerson | undefined;
  readonly tags: readonly string[];
  /** Names of the templates that the report was made with. */
  readonly templates: readonly string[];
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly tasks: readonly ReportTask[];
  readonly sections: readonly { readonly title: string; readonly text: string }[];
  /** Absent: the recipe did not ask for it. */
  readonly transcript?: readonly ReportLine[] | undefined;
}

interface ReportLine {
  readonly speaker?: string | undefined;
  /** Plain text. */
  readonly text: string;
  readonly startSeconds?: number | undefined;
}

/** The report for a recipe. Pure. */
export function toMeetingReport(
  digest: Digest,
  isExternalAddress: (address: string) => boolean,
): MeetingReport {
  const participants = digest.attendees.map(({ name, email, slack, notion }) => ({
    name,
    email,
    slack,
    notion,
  }));
  return {
    meetingId: digest.meetingId,
    title: digest.title,
    startedAt: digest.startedAt,
    utcOffset: digest.utcOffset,
    durationSeconds: digest.durationSeconds,
    platform: digest.source,
    participants,
    organiser: findOrganiser(participants, ({ email }) => email === undefined || isExternalAddress(email)),
    tags: digest.tags,
    templates: digest.templates.map(({ name }) => name),
    summary: toMarkdown(digest.summary),
    decisions: digest.decisions.map(toMarkdown),
    tasks: digest.taskGroups.flatMap(listTasks),
    sections: digest.sections.map(({ title, text }) => ({ title, text: toMarkdown(text) })),
    transcript: digest.transcript?.flatMap(({ turns }) => turns),
  };
}

/** A meeting without a report. */
export function makeEmptyReport(meetingId: string, title = ''): MeetingReport {
  return {
    meetingId,
    title,
    participants: [],
    tags: [],
    templates: [],
    summary: '',
    decisions: [],
    tasks: [],
    sections: [],
  };
}

function listTasks({ owner, tasks, ...ids }: TaskGroup): readonly ReportTask[] {
  return tasks.map(({ key, text, due, dueDate, state }): ReportTask => ({
    key,
    text: toMarkdown(text),
    owner: owner === undefined ? undefined : { name: owner, ...ids },
    due,
    dueDate,
    state: state === undefined ? 'open' : state === 'cancelled' ? 'cancelled' : 'done',
  }));
}
