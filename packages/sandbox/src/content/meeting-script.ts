/** What is said in a sample meeting, and what a good report makes of it. Times follow from the words. */
export interface MeetingScript {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly chapters: readonly {
    readonly name: string;
    readonly lines: readonly { readonly speaker: string; readonly text: string }[];
  }[];
  /** Markdown. */
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly tasks: readonly {
    readonly text: string;
    readonly assignee: string;
    /** Days after the meeting; absent where nobody named a date. */
    readonly dueInDays?: number;
    /** The chapter in which the task came up, from 0. */
    readonly chapter: number;
  }[];
}
