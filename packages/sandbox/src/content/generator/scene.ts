/** One choice for a slot: its text, or forms of it by name (`name` is the one that is meant when none is asked for). */
export type SlotChoice = string | Readonly<Record<string, string>>;

/**
 * A meeting with slots: `{product}`, or one of its forms, `{product.short}`. What a slot is filled with may hold slots
 * itself. Forms that belong together (a number and what follows from it) are one choice, so that they agree wherever
 * they turn up. Every text is right in its language whatever is chosen: words that would have to be inflected come in
 * the forms that are needed.
 */
export interface Scene {
  readonly title: string;
  /** The slug of the built-in template that suits it. */
  readonly templateName: string;
  readonly keywords: readonly string[];
  /** The parts; each is a slot with the forms `name` (in full), `first` and `last`, in Russian `polite` as well. */
  readonly people: Readonly<Record<string, 'man' | 'woman'>>;
  readonly slots: Readonly<Record<string, readonly SlotChoice[]>>;
  /**
   * Days of the week that are named, 1 is Monday, 8 is Monday of next week; one of these rows is taken. In Russian they
   * have the forms `on`, `by` and `for`.
   */
  readonly weeks: readonly Readonly<Record<string, number>>[];
  readonly chapters: readonly {
    readonly name: string;
    /** As in a play: `part: what is said`. */
    readonly lines: readonly string[];
  }[];
  /** Paragraphs, Markdown. */
  readonly summary: readonly string[];
  readonly decisions: readonly string[];
  readonly tasks: readonly SceneTask[];
}

interface SceneTask {
  readonly text: string;
  /** One of the people. */
  readonly owner: string;
  /** Days after the meeting, or one of the days in `weeks`; absent where nobody named a date. */
  readonly due?: number | string;
  /** The chapter in which it came up, from 0. */
  readonly chapter: number;
}
