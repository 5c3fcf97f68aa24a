import type { ContentLanguage } from './languages.ts';
import type { MeetingScript } from './meeting-script.ts';

interface TimedLine {
  readonly speaker: string;
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface TimedChapter {
  readonly name: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly lines: readonly TimedLine[];
}

/** An even, unhurried pace. */
const wordsPerSecond = 2.3;
/** Of the languages that put no space between words. */
const charactersPerSecond: Partial<Readonly<Record<ContentLanguage, number>>> = { zh: 4, ja: 5.5 };
const pauseSeconds = 1;
const welcomeSeconds = 4;

/** Long meetings are read again and again. */
const timed = new WeakMap<MeetingScript, readonly TimedChapter[]>();

/** Gives every line its time: as long as its words take, one pause between two lines. */
export function timeScript(script: MeetingScript): readonly TimedChapter[] {
  const known = timed.get(script);
  if (known !== undefined) return known;
  const chapters = timeChapters(script);
  timed.set(script, chapters);
  return chapters;
}

function timeChapters({ chapters, language }: MeetingScript): readonly TimedChapter[] {
  let nowSeconds = welcomeSeconds;
  return chapters.map(({ name, lines }) => {
    const timedLines = lines.map((line): TimedLine => {
      const startSeconds = nowSeconds;
      const endSeconds = startSeconds + Math.max(1, Math.round(estimateSeconds(line.text, language)));
      nowSeconds = endSeconds + pauseSeconds;
      return { ...line, startSeconds, endSeconds };
    });
    return {
      name,
      startSeconds: timedLines[0]?.startSeconds ?? nowSeconds,
      endSeconds: timedLines.at(-1)?.endSeconds ?? nowSeconds,
      lines: timedLines,
    };
  });
}

function estimateSeconds(text: string, language: ContentLanguage): number {
  const pace = charactersPerSecond[language];
  if (pace === undefined) return text.split(' ').length / wordsPerSecond;
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) / pace;
}

/** How long a meeting lasts: until its last word, in seconds; 0 where nothing is said. */
export function measureSeconds(chapters: readonly TimedChapter[]): number {
  return chapters.at(-1)?.endSeconds ?? 0;
}

/** `MM:SS`; minutes go on past 59. */
export function formatClock(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
