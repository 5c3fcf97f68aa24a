import type { ContentLanguage, MeetingScript } from './load-content.ts';

interface TimedLine {
  readonly speaker: string;
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface TimedChapter {
  readonly name: string;
  /** What was settled. */
  readonly note: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly lines: readonly TimedLine[];
}

const WORDS_PER_SECOND = 2.3;
/** Of languages without spaces between words. */
const charactersPerSecond: Partial<Readonly<Record<ContentLanguage, number>>> = { ja: 5.5 };
const PAUSE_SECONDS = 1;
const WELCOME_SECONDS = 4;

/** Long meetings are read many times. */
const timed = new WeakMap<MeetingScript, readonly TimedChapter[]>();

/** Gives every line its time: as long as its words take, with one pause between two lines, unless it names its start. */
export function timeScript(script: MeetingScript): readonly TimedChapter[] {
  const known = timed.get(script);
  if (known !== undefined) return known;
  let nowSeconds = WELCOME_SECONDS;
  const chapters = script.chapters.map(({ name, note, lines }) => {
    const timedLines = lines.map((line): TimedLine => {
      const startSeconds = line.startSeconds ?? nowSeconds;
      const endSeconds = startSeconds + Math.max(1, Math.round(estimateSeconds(line.text, script.language)));
      nowSeconds = endSeconds + PAUSE_SECONDS;
      return { ...line, startSeconds, endSeconds };
    });
    return {
      name,
      note,
      startSeconds: timedLines[0]?.startSeconds ?? nowSeconds,
      endSeconds: timedLines.at(-1)?.endSeconds ?? nowSeconds,
      lines: timedLines,
    };
  });
  timed.set(script, chapters);
  return chapters;
}

function estimateSeconds(text: string, language: ContentLanguage): number {
  const pace = charactersPerSecond[language];
  if (pace === undefined) return text.split(' ').length / WORDS_PER_SECOND;
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) / pace;
}

/** How long a meeting lasts, until its last word, in seconds; 0 without chapters. */
export function measureSeconds(chapters: readonly TimedChapter[]): number {
  return chapters.at(-1)?.endSeconds ?? 0;
}

/** `MM:SS`; minutes go on past 59. */
export function formatClock(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Every speaker, in the order of their first words. */
export function listSpeakers(chapters: readonly TimedChapter[]): readonly string[] {
  return [...new Set(chapters.flatMap(({ lines }) => lines.map(({ speaker }) => speaker)))];
}
