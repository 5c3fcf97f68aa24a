import type { ContentLanguage } from './languages.ts';

/** What is said in a sample meeting, and what a good report makes of it. Times follow from the words. */
export interface MeetingScript {
  readonly name: string;
  readonly language: ContentLanguage;
  /** The slug of the built-in template that suits it; absent: the default one. */
  readonly templateName?: string;
  readonly keywords: readonly string[];
  readonly chapters: readonly {
    readonly name: string;
    readonly lines: readonly { readonly speaker: string; readonly text: string }[];
  }[];
  /** Markdown. */
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly tasks: readonly ScriptTask[];
}

export interface ScriptTask {
  readonly text: string;
  readonly assignee: string;
  /** Days after the meeting; absent where nobody named a date. */
  readonly dueInDays?: number;
  /**
   * Moves the date on to the next such day: 1 is Monday; 8 to 14 are the days of the week after the meeting's. What is
   * said names the day of the week, and the date must fall on it.
   */
  readonly dueOnWeekday?: number;
  /** The chapter in which the task came up, from 0. */
  readonly chapter: number;
}
