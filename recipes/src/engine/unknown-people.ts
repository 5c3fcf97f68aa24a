import { z } from 'zod';

import type { PeopleDirectory } from '../report/people-directory.ts';
import { changeRecord, readNote, type SharedStore } from './store/shared-store.ts';
import { hashText } from './store/store-tools.ts';

const RECORD = 'unknown-people';
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_PEOPLE = 200;
/** Of one person so many meetings are counted. */
const MAX_MEETINGS = 50;

/** By name: a mark of each meeting, and when its report was read. */
const noteSchema = z.record(z.string(), z.array(z.tuple([z.string(), z.number()])));
type Note = z.output<typeof noteSchema>;

/** Somebody whom no mail, direct message or mention reaches. */
export interface UnknownPerson {
  readonly name: string;
  /** In how many meetings of the last 30 days. */
  readonly meetings: number;
}

/** Notes the people of a report who cannot be placed, once for each meeting. */
export async function noteUnknownPeople(
  store: Pick<SharedStore, 'swap' | 'read'>,
  {
    meetingId,
    names,
    nowMs,
  }: { readonly meetingId: string; readonly names: readonly string[]; readonly nowMs: number },
): Promise<void> {
  const mark = markOf(meetingId);
  await change(store, nowMs, (note) => {
    const isNew = names.some((name) => note[name]?.some(([known]) => known === mark) !== true);
    if (!isNew) return undefined;
    const added = names.map((name): [string, Note[string]] => {
      const others = (note[name] ?? []).filter(([known]) => known !== mark);
      return [name, [...others, [mark, nowMs] satisfies Note[string][number]].slice(-MAX_MEETINGS)];
    });
    const fresh = Object.entries({ ...note, ...Object.fromEntries(added) });
    // Who appeared last stays.
    return Object.fromEntries(fresh.toSorted((one, other) => lastMs(one) - lastMs(other)).slice(-MAX_PEOPLE));
  });
}

/** Who could not be placed lately and is still not known, the most frequent first. */
export async function listUnknownPeople(
  store: Pick<SharedStore, 'read'>,
  directory: Pick<PeopleDirectory, 'find'>,
  nowMs: number,
): Promise<readonly UnknownPerson[]> {
  const note = dropOld(readNote(noteSchema, await store.read(RECORD)) ?? {}, nowMs);
  return Object.entries(note)
    .filter(([name]) => directory.find({ name }) === undefined)
    .map(([name, meetings]) => ({ name, meetings: meetings.length }))
    .toSorted((one, other) => other.meetings - one.meetings || one.name.localeCompare(other.name));
}

/** Forgets who took part in a meeting. */
export async function forgetUnknownPeople(
  store: Pick<SharedStore, 'swap' | 'read'>,
  meetingId: string,
  nowMs: number,
): Promise<void> {
  const mark = markOf(meetingId);
  await change(store, nowMs, (note) => dropMeetings(note, ([known]) => known !== mark));
}

/** Undefined: nothing changes. */
async function change(
  store: Pick<SharedStore, 'swap' | 'read'>,
  nowMs: number,
  think: (note: Note) => Note | undefined,
): Promise<void> {
  const known = await store.read(RECORD);
  await changeRecord(
    store,
    { name: RECORD, schema: noteSchema, keepMs: KEPT_MS, known },
    (note = {}) => {
      const next = think(dropOld(note, nowMs));
      return { answer: undefined, ...(next === undefined ? {} : { next }) };
    },
    nowMs,
  );
}

function dropOld(note: Note, nowMs: number): Note {
  return dropMeetings(note, ([, atMs]) => nowMs - atMs < KEPT_MS);
}

function dropMeetings(note: Note, stays: (meeting: Note[string][number]) => boolean): Note {
  return Object.fromEntries(
    Object.entries(note).flatMap(([name, meetings]) => {
      const left = meetings.filter(stays);
      return left.length === 0 ? [] : [[name, left]];
    }),
  );
}

function lastMs([, meetings]: readonly [string, Note[string]]): number {
  return meetings.at(-1)?.[1] ?? 0;
}

function markOf(meetingId: string): string {
  return hashText(meetingId).slice(0, 16);
}
