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
const pauseSeconds = 1;
const welcomeSeconds = 4;

/** Gives every line its time: as long as its words take, one pause between two lines. */
export function timeScript(script: MeetingScript): readonly TimedChapter[] {
  let nowSeconds = welcomeSeconds;
  return script.chapters.map(({ name, lines }) => {
    const timed = lines.map((line): TimedLine => {
      const startSeconds = nowSeconds;
      const endSeconds = startSeconds + Math.max(1, Math.round(line.text.split(' ').length / wordsPerSecond));
      nowSeconds = endSeconds + pauseSeconds;
      return { ...line, startSeconds, endSeconds };
    });
    return {
      name,
      startSeconds: timed[0]?.startSeconds ?? nowSeconds,
      endSeconds: timed.at(-1)?.endSeconds ?? nowSeconds,
      lines: timed,
    };
  });
}

/** `MM:SS`; minutes go on past 59. */
export function formatClock(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
