import {
  asEntries,
  asId,
  asPresent,
  asText,
  type Fields,
  isFields,
  readFirst,
  spellNames,
  type Writable,
} from '../loose.ts';
import { type Dropped, readId, readName, type SpeakerList } from './people.ts';
import type { Chapter, Segment } from './report.ts';
import { type Instant, readPosition } from './times.ts';

const segmentNames = ['transcript', 'segments', 'utterances', 'phrases'];

const textNames = ['text', 'content', 'sentence', 'phrase'];

const chapterNames = ['name', 'title', 'topic'];

const speakerNames = spellNames('speaker', 'speaker_name', 'speaker_id', 'author');

const startNames = [
  'startSeconds',
  'start_seconds',
  'start',
  ...spellNames('start_time'),
  'timestamp',
  'time',
];

const endNames = ['endSeconds', 'end_seconds', 'end', ...spellNames('end_time')];

const idNames = spellNames('id', 'speaker_id');

interface Talk {
  readonly chapters: readonly Chapter[];
  readonly transcript: readonly Segment[];
  /** There are lists for what was said, and nothing is in them, not even what could not be read. */
  readonly isEmpty: boolean;
}

interface TalkFrame {
  /** When the meeting started, for positions that are written as moments. */
  readonly start: Instant | undefined;
  readonly listed: SpeakerList;
  readonly dropped: Dropped;
}

interface Reading {
  readonly chapters: Chapter[];
  readonly transcript: Segment[];
  /** How many lists there are for segments, and how many entries they have. */
  lists: number;
  entries: number;
}

/** Chapters and what was said in them; a transcript that stands outside of chapters counts where they hold none. */
export function readTalk(chapters: unknown, looseTranscript: unknown, frame: TalkFrame): Talk {
  const entries = asEntries(chapters);
  const isEmptyList = Array.isArray(chapters) && entries.length === 0;
  const reading: Reading = { chapters: [], transcript: [], lists: isEmptyList ? 1 : 0, entries: 0 };
  for (const entry of entries) {
    const chapter = readChapter(entry, frame);
    if (chapter === undefined) {
      frame.dropped.add('chapters');
      continue;
    }
    reading.chapters.push(chapter);
    if (isFields(entry)) addSegments(readFirst(entry, segmentNames, asPresent), frame, reading);
  }
  if (reading.transcript.length === 0) addSegments(looseTranscript, frame, reading);
  const isEmpty = reading.lists > 0 && reading.entries === 0;
  return { chapters: reading.chapters, transcript: reading.transcript, isEmpty };
}

function readChapter(entry: unknown, { start }: TalkFrame): Chapter | undefined {
  if (!isFields(entry)) {
    const name = asText(entry);
    return name === undefined ? undefined : { name };
  }
  const chapter: Writable<Chapter> = { name: readFirst(entry, chapterNames, asText) ?? 'Untitled' };
  addSpan(chapter, entry, start);
  return chapter;
}

function addSegments(value: unknown, frame: TalkFrame, reading: Reading): void {
  if (value === undefined) return;
  const held = isFields(value) ? (readFirst(value, segmentNames, asPresent) ?? value) : value;
  reading.lists += 1;
  for (const entry of asEntries(held)) {
    reading.entries += 1;
    const segment = readSegment(entry, frame);
    if (segment === undefined) frame.dropped.add('transcript segments');
    else reading.transcript.push(segment);
  }
}

function readSegment(entry: unknown, { start, listed, dropped }: TalkFrame): Segment | undefined {
  if (!isFields(entry)) {
    const text = asText(entry);
    return text === undefined ? undefined : { text };
  }
  const text = readFirst(entry, textNames, asText);
  if (text === undefined) return undefined;
  const segment: Writable<Segment> = { text };
  const speaker = readFirst(entry, speakerNames, readSpeaker);
  if (speaker === undefined) countLostIds(entry, dropped);
  // The id of a listed speaker is as good as the name; an id that is not listed stands for itself.
  if (speaker !== undefined) segment.speaker = listed.nameById.get(speaker) ?? speaker;
  addSpan(segment, entry, start);
  return segment;
}

/** A number is an id. */
function readSpeaker(value: unknown): string | undefined {
  return isFields(value) ? (readName(value) ?? readFirst(value, idNames, asId)) : asId(value)?.trim();
}

function countLostIds(entry: Fields, dropped: Dropped): void {
  readId(entry, speakerNames, dropped);
  for (const name of speakerNames) {
    const speaker = entry[name];
    if (isFields(speaker)) readId(speaker, idNames, dropped);
  }
}

function addSpan(
  span: Writable<Chapter | Segment>,
  fields: Fields,
  recordingStart: Instant | undefined,
): void {
  const start = readFirst(fields, startNames, (value) => readPosition(value, recordingStart));
  const end = readFirst(fields, endNames, (value) => readPosition(value, recordingStart));
  if (start !== undefined) span.startSeconds = start;
  if (end !== undefined && end >= (start ?? 0)) span.endSeconds = end;
}

/** Finds the name of the chapter at a position, in logarithmic time: a report may hold very many of both. */
export function createChapterFinder(chapters: readonly Chapter[]): (seconds: number) => string | undefined {
  const timed = chapters
    .flatMap(({ name, startSeconds, endSeconds }) =>
      startSeconds === undefined
        ? []
        : [{ name, startSeconds, endSeconds: endSeconds ?? Number.POSITIVE_INFINITY }],
    )
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
  return (seconds) => {
    let low = 0;
    let high = timed.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((timed[middle]?.startSeconds ?? 0) <= seconds) low = middle + 1;
      else high = middle;
    }
    const chapter = timed[low - 1];
    return chapter === undefined || seconds > chapter.endSeconds ? undefined : chapter.name;
  };
}
