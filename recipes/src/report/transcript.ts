import type { Chapter, Report } from '@aftermeet/client';

import { cutText, cleanLine } from './clean-text.ts';
import { cleanPersonName, cleanName } from './people.ts';

/** What one speaker said without interruption. */
export interface SpokenTurn {
  readonly speaker?: string;
  readonly text: string;
  readonly startSeconds?: number;
}

/** A part of the transcript; without a name when the report has no chapters. */
export interface TranscriptChapter {
  readonly name?: string;
  readonly startSeconds?: number;
  readonly turns: readonly SpokenTurn[];
}

const limits = { characters: 2_000_000, chapters: 500, turn: 5000 };

/** A turn under construction. */
interface OpenTurn {
  /** As the report has it: two speakers without a name that may be shown are not one. */
  readonly writtenSpeaker: string;
  readonly speaker: string;
  readonly startSeconds: number | undefined;
  text: string;
}

/**
 * Builds the transcript: consecutive segments of one speaker become one turn of at most 5000 characters, and each turn stands
 * in the chapter that it begins in. At most 2,000,000 characters.
 */
export function buildTranscript({ transcript, chapters }: Pick<Report, 'transcript' | 'chapters'>): {
  readonly chapters: readonly TranscriptChapter[];
  readonly isCut: boolean;
} {
  const starts = listStarts(chapters);
  const talked: { readonly chapter: TranscriptChapter; readonly turns: OpenTurn[] }[] = [];
  let next = 0;
  let room = limits.characters;
  let isCut = false;
  for (const { speaker: name = '', text: said, startSeconds } of transcript) {
    const text = cutText(cleanLine(said.slice(0, room)), room);
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
    addTurn(talked.at(-1)?.turns ?? [], name, text, startSeconds);
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
      startSeconds === undefined ? [] : [{ name: cleanName(name) || 'Untitled chapter', startSeconds }],
    )
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
}

function addTurn(turns: OpenTurn[], name: string, text: string, startSeconds: number | undefined): void {
  const last = turns.at(-1);
  if (last !== undefined && last.writtenSpeaker === name && last.text.length + text.length < limits.turn) {
    last.text += ` ${text}`;
  } else turns.push({ writtenSpeaker: name, speaker: cleanPersonName(name), startSeconds, text });
}

/** Four literals, because spreading optional fields took most of the time for thousands of turns. */
function closeTurn({ speaker, startSeconds, text }: OpenTurn): SpokenTurn {
  if (startSeconds === undefined) return speaker === '' ? { text } : { speaker, text };
  return speaker === '' ? { text, startSeconds } : { speaker, text, startSeconds };
}
