import type { Dropped } from './dropped.ts';
import { asEntries, isFields, openText, spellNames } from './loose.ts';
import { readId } from './read-id.ts';
import { readName } from './read-name.ts';
import type { Segment, Speaker } from './report.ts';

const idNames = spellNames('id', 'speaker_id');

/** The speakers whom the report lists. */
export interface SpeakerList {
  readonly names: ReadonlySet<string>;
  readonly idByName: ReadonlyMap<string, string>;
  readonly nameById: ReadonlyMap<string, string>;
}

/** Speakers from a list of texts or objects, or from a comma-separated text. */
export function readSpeakers(value: unknown, dropped: Dropped): SpeakerList {
  const names = new Set<string>();
  const idByName = new Map<string, string>();
  const nameById = new Map<string, string>();
  const opened = openText(value);
  for (const entry of typeof opened === 'string' ? opened.split(',') : asEntries(opened)) {
    const name = readName(entry);
    if (name === undefined) {
      dropped.add('speakers');
      continue;
    }
    names.add(name);
    const id = isFields(entry) ? readId(entry, idNames, dropped) : undefined;
    if (id === undefined) continue;
    if (!idByName.has(name)) idByName.set(name, id);
    if (!nameById.has(id)) nameById.set(id, name);
  }
  return { names, idByName, nameById };
}

/** The listed speakers, then others that the transcript names, each with the time they talked where it is sure. */
export function describeSpeakers(list: SpeakerList, transcript: readonly Segment[]): readonly Speaker[] {
  const seconds = new Map<string, number>();
  for (const { speaker, startSeconds, endSeconds } of transcript) {
    if (speaker === undefined) continue;
    // One segment without its times makes the sum unknown, which is what NaN stays.
    const length = (endSeconds ?? Number.NaN) - (startSeconds ?? Number.NaN);
    seconds.set(speaker, (seconds.get(speaker) ?? 0) + length);
  }
  return [...new Set([...list.names, ...seconds.keys()])].map((name) => {
    const id = list.idByName.get(name);
    const talk = seconds.get(name);
    return {
      name,
      ...(id === undefined ? {} : { id }),
      ...(talk === undefined || Number.isNaN(talk) ? {} : { talkSeconds: Math.round(talk * 1000) / 1000 }),
    };
  });
}
