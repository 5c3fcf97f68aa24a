import { asFields, asList, asText, firstText } from './loose.ts';
import { readSeconds } from './read-time.ts';
import type { Chapter, Segment } from './report.ts';

export interface Talk {
  readonly chapters: readonly Chapter[];
  readonly transcript: readonly Segment[];
  /** How many entries could not be read. */
  readonly dropped: number;
}

/** Chapters and what was said in them; a transcript that stands outside of chapters is read too. */
export function readTalk(chapters: unknown, looseTranscript: unknown): Talk {
  const read: { chapters: Chapter[]; transcript: Segment[]; dropped: number } = {
    chapters: [],
    transcript: [],
    dropped: 0,
  };
  const addSegments = (segments: unknown): void => {
    for (const item of asList(segments)) {
      const segment = readSegment(item);
      if (segment === undefined) read.dropped += 1;
      else read.transcript.push(segment);
    }
  };
  for (const item of asList(chapters)) {
    const fields = asFields(item);
    if (fields === undefined) {
      read.dropped += 1;
      continue;
    }
    const name = firstText(fields, 'name', 'title') ?? 'Untitled';
    read.chapters.push({ name, ...readSpan(fields) });
    addSegments(fields['transcript']);
  }
  if (read.transcript.length === 0) addSegments(looseTranscript);
  return read;
}

function readSegment(item: unknown): Segment | undefined {
  const fields = asFields(item);
  const text = fields === undefined ? undefined : firstText(fields, 'text', 'content', 'sentence');
  if (fields === undefined || text === undefined) return undefined;
  const speaker = readSpeaker(fields['speaker'] ?? fields['speaker_name']);
  return { text, ...(speaker === undefined ? {} : { speaker }), ...readSpan(fields) };
}

/** A speaker is a name, or an object that holds one. */
export function readSpeaker(value: unknown): string | undefined {
  const fields = asFields(value);
  return fields === undefined ? asText(value) : firstText(fields, 'speaker', 'name', 'display_name');
}

function readSpan(fields: Readonly<Record<string, unknown>>): { startSeconds?: number; endSeconds?: number } {
  const start = readSeconds(fields['startSeconds'] ?? fields['start'] ?? fields['timestamp']);
  const end = readSeconds(fields['endSeconds'] ?? fields['end']);
  return {
    ...(start === undefined ? {} : { startSeconds: start }),
    ...(end === undefined ? {} : { endSeconds: end }),
  };
}
