/** A meeting's report in one shape, whatever shape the service answered with. */
export interface Report {
  readonly meetingId: string;
  readonly title: string;
  /** ISO 8601 where the service's text could be read as a time, else absent. */
  readonly startedAt?: string;
  readonly durationSeconds?: number;
  /** The platform's identifier; an open set. */
  readonly source?: string;
  readonly isTranscriptEmpty: boolean;
  readonly participants: readonly Person[];
  readonly speakers: readonly string[];
  /** Markdown. */
  readonly summary?: string;
  readonly decisions: readonly string[];
  readonly tasks: readonly Task[];
  readonly transcript: readonly Segment[];
  readonly chapters: readonly Chapter[];
  readonly templates: readonly ReportTemplate[];
  readonly keywords: readonly string[];
  /** What could not be read and was left out, in plain words without content. */
  readonly warnings: readonly string[];
  /** The body as it came. */
  readonly raw: unknown;
}

export interface Person {
  readonly name?: string;
  readonly email?: string;
}

export interface Task {
  readonly text: string;
  readonly owner?: string;
  /** As the service wrote it. */
  readonly due?: string;
}

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
  readonly id?: string;
  readonly name: string;
  readonly blocks: readonly ReportBlock[];
}

export interface ReportBlock {
  /** The entity's name, such as `summary` or `tasks`; an open set. */
  readonly name: string;
  /** Markdown. */
  readonly text: string;
}
