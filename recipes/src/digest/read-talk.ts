import type { Chapter, Report } from '@aftermeet/client';

import type { SpokenTurn, TranscriptChapter } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { tidyLine } from '../text/tidy-text.ts';
import { personName, readName } from './name-people.ts';

const limits = { characters: 2_000_000, chapters: 500, turn: 5000 };

/** Being written: what one person says while nobody else does. */
interface OpenTurn {
  readonly speaker: string;
  readonly startSeconds: number | undefined;
  text: string;
}

/**
 * The transcript as turns: what one person says without a break is one, and after 5000 characters the next begins. Each
 * stands in the chapter that had begun when it did. At most 2,000,000 characters.
 */
export function readTalk({ transcript, chapters }: Pick<Report, 'transcript' | 'chapters'>): {
  readonly chapters: readonly TranscriptChapter[];
  readonly isCut: boolean;
} {
  const starts = listStarts(chapters);
  const talked: { readonly chapter: TranscriptChapter; readonly turns: OpenTurn[] }[] = [];
  let next = 0;
  let room = limits.characters;
  let isCut = false;
  for (const { speaker: name = '', text: said, startSeconds } of transcript) {
    const text = cutText(tidyLine(said.slice(0, room)), room);
    if (said.length > room) isCut = true;
    if (room <= 0) break;
    if (text === '') continue;
    room -= text.length + 1;
    let chapter: TranscriptChapter | undefined = talked.length === 0 ? { turns: [] } : undefined;
    for (
      let at = starts[next];
      at !== undefined && at.startSeconds <= (startSeconds ?? -1);
      at = starts[next]
    ) {
      chapter = { ...at, turns: [] };
      next += 1;
    }
    if (chapter !== undefined) talked.push({ chapter, turns: [] });
    addTurn(talked.at(-1)?.turns ?? [], personName(name), text, startSeconds);
  }
  return {
    chapters: talked.map(({ chapter, turns }) => ({ ...chapter, turns: turns.map(closeTurn) })),
    isCut,
  };
}

function listStarts(chapters: readonly Chapter[]) {
  return chapters
    .slice(0, limits.chapters)
    .flatMap(({ name, startSeconds }) =>
      startSeconds === undefined ? [] : [{ name: readName(name) || 'Untitled chapter', startSeconds }],
    )
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
}

function addTurn(turns: OpenTurn[], speaker: string, text: string, startSeconds: number | undefined): void {
  const last = turns.at(-1);
  if (last !== undefined && last.speaker === speaker && last.text.length + text.length < limits.turn) {
    last.text += ` ${text}`;
  } else turns.push({ speaker, startSeconds, text });
}

/** Written out: of thousands of turns the spread of two optional parts was most of the time. */
function closeTurn({ speaker, startSeconds, text }: OpenTurn): SpokenTurn {
  if (startSeconds === undefined) return speaker === '' ? { text } : { speaker, text };
  return speaker === '' ? { text, startSeconds } : { speaker, text, startSeconds };
}
