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
interface LanguageContent {
  /** The heading above each block of an export, by the name of the block. */
  readonly headings: Readonly<Record<string, string>>;
  readonly phrases: Phrases;
  /** In the order in which meetings use them. */
  readonly meetings: Readonly<Record<string, MeetingScript>>;
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
  /** After the assignee of a task, with `{date}`. */
  readonly due: string;
  readonly facts: Readonly<Record<'date' | 'duration' | 'source' | 'speakers' | 'transcript', string>>;
  /** In place of an empty transcript. */
  readonly emptyTranscript: string;
}

interface Question {
  readonly question: string;
  readonly answer: string;
}

interface Participant {
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

/** A meeting as the files of the languages write it: lines as in a play. */
type WrittenMeeting = Omit<MeetingScript, 'language' | 'chapters'> & {
  readonly chapters: readonly {
    readonly name: string;
    readonly note: string;
    readonly lines: readonly string[];
  }[];
};

const loaded = new Map<string, unknown>();

/** Reads the file of a language at the first use. The files are part of the package, and tests check them. */
export function loadLanguage(language: ContentLanguage): LanguageContent {
  return load(language, (written) => {
    const content = written as LanguageContent & { meetings: Record<string, WrittenMeeting> };
    const meetings = Object.entries(content.meetings).map(
      ([name, meeting]) => [name, readMeeting(meeting, language)] as const,
    );
    return { ...content, meetings: Object.fromEntries(meetings) };
  });
}

/** The meetings of recordings, by id. */
export function loadSamples(): Readonly<Record<string, MeetingScript>> {
  return load('samples', (samples) => samples as Readonly<Record<string, MeetingScript>>);
}

/** A meeting as `aftermeet sandbox meetings add` takes it. */
export function loadExampleMeeting(): unknown {
  return load('example-meeting', (meeting) => meeting);
}

function readMeeting({ chapters, ...rest }: WrittenMeeting, language: ContentLanguage): MeetingScript {
  return {
    ...rest,
    language,
    chapters: chapters.map(({ lines, ...chapter }) => ({
      ...chapter,
      lines: lines.map((line) => {
        const [speaker = '', ...words] = line.split(': ');
        return { speaker, text: words.join(': ') };
      }),
    })),
  };
}

/** `read` makes what is kept of what the file holds. */
function load<Read>(name: string, read: (written: unknown) => Read): Read {
  if (!loaded.has(name)) {
    loaded.set(name, read(JSON.parse(readFileSync(join(findAssets('content'), `${name}.json`), 'utf8'))));
  }
  return loaded.get(name) as Read;
}
