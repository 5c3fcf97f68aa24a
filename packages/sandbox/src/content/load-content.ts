import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findAssets } from '../assets.ts';

/** The languages of the sample meetings, as BCP 47 codes. */
export const contentLanguages = ['en', 'de', 'ja'] as const;

export type ContentLanguage = (typeof contentLanguages)[number];

/** The language of a code, in any case and with any region or script (`de-AT`); undefined for a language without meetings. */
export function findContentLanguage(code: string): ContentLanguage | undefined {
  const [language] = code.trim().toLowerCase().split(/[-_]/);
  return contentLanguages.find((known) => known === language);
}

/** Everything in one language: one file of `content/`. */
export interface LanguageContent {
  /** The heading above each block of an export, by the name of the block. */
  readonly headings: Readonly<Record<string, string>>;
  readonly phrases: Phrases;
  /** Monday to Friday. */
  readonly weekdays: readonly string[];
  /** Common first and family names. */
  readonly women: readonly string[];
  readonly men: readonly string[];
  readonly families: readonly string[];
  /** How these names are written in a mail address, where they are not in Latin letters. */
  readonly romanized?: Readonly<Record<string, string>>;
  /** In the order in which meetings use them. */
  readonly scenes: Readonly<Record<string, Scene>>;
}

/** The words of a report around what was said in the meeting. */
export interface Phrases {
  /** Above the decisions. */
  readonly agreed: string;
  /** Before the names of the speakers. */
  readonly present: string;
  readonly colon: string;
  /** Between names. */
  readonly comma: string;
  /** The paragraphs of a follow-up mail before the summary: a greeting and thanks. */
  readonly mailOpening: readonly string[];
  /** The words of a follow-up mail before the decisions. */
  readonly mailAgreed: string;
  /** With `{name}`, `{percent}` and `{note}`. */
  readonly share: string;
  /** After the assignee of a task, with `{date}`. */
  readonly due: string;
  readonly facts: Readonly<Record<'date' | 'duration' | 'source' | 'speakers' | 'transcript', string>>;
  /** In place of an empty transcript. */
  readonly emptyTranscript: string;
}

/** One choice for a slot: its text, or forms of it by name. `name` is the form that `{slot}` means. */
export type SlotChoice = string | Readonly<Record<string, string>>;

/**
 * A meeting with slots: `{product}`, or one of its forms, `{product.short}`. A choice for a slot may hold slots itself.
 * Facts that depend on each other (a price and its discount) are forms of one choice, so that they agree everywhere.
 */
export interface Scene {
  readonly title: string;
  /** The slug of the built-in template that suits it. */
  readonly templateName: string;
  readonly keywords: readonly string[];
  /** The parts; each is a slot with the forms `name` (in full), `first` and `last`. */
  readonly people: Readonly<Record<string, 'man' | 'woman'>>;
  /** The mail domains of the people; a part that is missing has no address. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly slots: Readonly<Record<string, readonly SlotChoice[]>>;
  /** Named weekdays; one row is used. 1 is Monday, 8 is Monday of next week. */
  readonly weeks: readonly Readonly<Record<string, number>>[];
  readonly chapters: readonly {
    readonly name: string;
    /** What was settled, as a note-taker writes it. */
    readonly note: string;
    /** As in a play: `part: text`. */
    readonly lines: readonly string[];
  }[];
  /** Paragraphs, Markdown. The first one says what came out. */
  readonly summary: readonly string[];
  readonly decisions: readonly string[];
  readonly tasks: readonly {
    readonly text: string;
    /** One of the people. */
    readonly owner: string;
    /** Days after the meeting, or a name in `weeks`; absent without a date. */
    readonly due?: number | string;
    /** The chapter in which the task came up, from 0. */
    readonly chapter: number;
  }[];
  /** What each part said and does next. */
  readonly speakerNotes: Readonly<Record<string, string>>;
  readonly questions: readonly Question[];
}

interface Question {
  readonly question: string;
  readonly answer: string;
}

export interface Participant {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** The content of a meeting. Times follow from the words, unless a line names its own. */
export interface MeetingScript {
  readonly name: string;
  readonly language: ContentLanguage;
  /** The slug of the built-in template that suits it; absent: the default one. */
  readonly templateName?: string;
  readonly keywords: readonly string[];
  readonly participants: readonly Participant[];
  readonly chapters: readonly {
    readonly name: string;
    /** What was settled. */
    readonly note: string;
    readonly lines: readonly ScriptLine[];
  }[];
  /** Markdown. The first paragraph says what came out. */
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly tasks: readonly ScriptTask[];
  readonly speakerNotes: readonly { readonly speaker: string; readonly text: string }[];
  readonly questions: readonly Question[];
}

interface ScriptLine {
  readonly speaker: string;
  readonly text: string;
  /** Seconds into the meeting; absent: right after the line before it. */
  readonly startSeconds?: number | undefined;
}

export interface ScriptTask {
  readonly text: string;
  readonly assignee: string;
  /** Days after the meeting; absent without a date. */
  readonly dueInDays?: number;
  /** Moves the date on to the next such day: 1 is Monday; 8 to 14 are the days of the week after the meeting. */
  readonly dueOnWeekday?: number;
  /** The chapter in which the task came up, from 0. */
  readonly chapter: number;
}

const loaded = new Map<string, unknown>();

/** Reads the file of a language at the first use. */
export function loadLanguage(language: ContentLanguage): LanguageContent {
  // The files are part of the package, and the tests of content check them.
  return load(language) as LanguageContent;
}

/** The hand-written meetings by id. Recordings use them in turn. */
export function loadSamples(): Readonly<Record<string, MeetingScript>> {
  return load('samples') as Readonly<Record<string, MeetingScript>>;
}

/** A meeting as `aftermeet sandbox meetings add` takes it. */
export function loadExampleMeeting(): unknown {
  return load('example-meeting');
}

function load(name: string): unknown {
  if (!loaded.has(name)) {
    loaded.set(name, JSON.parse(readFileSync(join(findAssets('content'), `${name}.json`), 'utf8')));
  }
  return loaded.get(name);
}
