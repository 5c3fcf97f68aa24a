import type { TaskState } from './vocabulary.ts';

/** A meeting's report in one shape, whatever shape the service answered with. */
export interface Report {
  readonly meetingId: string;
  readonly title: string;
  /** ISO 8601 in UTC where the service's text could be read as a time, else absent. */
  readonly startedAt?: string;
  /** ISO 8601 in UTC: as the service says, or the start and the duration together. */
  readonly endedAt?: string;
  /** The start, or the planned start, as the service wrote it in local time: with its offset, or with none. */
  readonly startedLocal?: string;
  /** The offset of that local time, such as `+03:00`. */
  readonly utcOffset?: string;
  readonly durationSeconds?: number;
  /** The platform's identifier; an open set. */
  readonly source?: string;
  /** The service's own word for the meeting's state; an open set, see `readPhase`. */
  readonly status?: string;
  /** As the service says. Where it does not say: the report has a place for a transcript, and nothing in it. */
  readonly isTranscriptEmpty: boolean;
  readonly participants: readonly Person[];
  /** Those the report lists, then others that the transcript names; each name once. */
  readonly speakers: readonly Speaker[];
  /** Markdown. */
  readonly summary?: string;
  readonly decisions: readonly string[];
  /** Of all templates; what stands in several of them stands here once. */
  readonly tasks: readonly Task[];
  readonly transcript: readonly Segment[];
  readonly chapters: readonly Chapter[];
  readonly templates: readonly ReportTemplate[];
  readonly keywords: readonly string[];
  /** Names of the meeting's tags. */
  readonly tags: readonly string[];
  /** What could not be read and was left out, in plain words without content. */
  readonly warnings: readonly string[];
  /** The body as it came. */
  readonly raw: unknown;
}

export interface Person {
  readonly name?: string;
  readonly email?: string;
}

export interface Speaker {
  readonly name: string;
  readonly id?: string;
  /** Where the start and the end of everything they said are known. */
  readonly talkSeconds?: number;
}

export interface Task {
  readonly text: string;
  readonly owner?: string;
  /** As the service wrote it. */
  readonly due?: string;
  /** `YYYY-MM-DD`, if `due` is certainly a date. */
  readonly dueDate?: string;
  /** How it ended; absent: it is open, or the service does not say. */
  readonly state?: TaskState;
  /** Where in the recording the task was stated. */
  readonly atSeconds?: number;
  /** Name of the chapter in which it was stated. */
  readonly chapter?: string;
}

/** Positions are seconds from the start of the recording; an end is never before its start. */
export interface Segment {
  readonly speaker?: string;
  readonly text: string;
  readonly startSeconds?: number;
  readonly endSeconds?: number;
}

export interface Chapter {
  readonly name: string;
  readonly startSeconds?: number;
  readonly endSeconds?: number;
}

export interface ReportTemplate {
  /** The `templateId` of `reports.editBlock`. */
  readonly id?: string;
  readonly name: string;
  readonly blocks: readonly ReportBlock[];
}

export interface ReportBlock {
  /** The entity's name, such as `summary` or `tasks`; an open set. The `entityName` of `reports.editBlock`. */
  readonly name: string;
  /** Markdown; written by us where the service's value is no text, or HTML. */
  readonly text: string;
  /** The service's value, where it is no text. */
  readonly value?: unknown;
}
