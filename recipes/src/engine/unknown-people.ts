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

/** The people of one report who cannot be placed. */
interface UnknownOfMeeting {
  readonly meetingId: string;
  readonly names: readonly string[];
}

/** Meetings that a worker remembers to have noted. */
const MAX_NOTED = 10_000;

/**
 * Notes the people of a report who cannot be placed, once for each meeting. Returns at once. One write is under way at a
 * time, and it takes along what came meanwhile: all workers write the same record, and a write for each report would make
 * all others think again. Only operators read it, so what cannot be written is dropped.
 */
export function createUnknownPeopleNotes(
  store: Pick<SharedStore, 'swap' | 'read'>,
  clock: () => number,
): (meeting: UnknownOfMeeting) => void {
  const noted = new Set<string>();
  let waiting: UnknownOfMeeting[] = [];
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const meetings = waiting;
      waiting = [];
      await noteUnknownPeople(store, meetings, clock()).catch(() => {
        for (const meeting of meetings) noted.delete(nameMeeting(meeting));
      });
    }
    isWriting = false;
  };
  return (meeting) => {
    const name = nameMeeting(meeting);
    if (noted.has(name)) return;
    const [oldest] = noted;
    if (oldest !== undefined && noted.size >= MAX_NOTED) noted.delete(oldest);
    noted.add(name);
    waiting.push(meeting);
    if (!isWriting) void write();
  };
}

/** A report can be edited, and name other people then. */
function nameMeeting({ meetingId, names }: UnknownOfMeeting): string {
  return hashText([meetingId, ...names].join('\n'));
}

async function noteUnknownPeople(
  store: Pick<SharedStore, 'swap' | 'read'>,
  meetings: readonly UnknownOfMeeting[],
  nowMs: number,
): Promise<void> {
  await change(store, nowMs, (before) => {
    let note = before;
    for (const { meetingId, names } of meetings) note = addMeeting(note, markOf(meetingId), names, nowMs);
    if (note === before) return undefined;
    // Who appeared last stays.
    const people = Object.entries(note).toSorted((one, other) => lastMs(one) - lastMs(other));
    return Object.fromEntries(people.slice(-MAX_PEOPLE));
  });
}

function addMeeting(note: Note, mark: string, names: readonly string[], nowMs: number): Note {
  const isNew = names.some((name) => note[name]?.some(([known]) => known === mark) !== true);
  if (!isNew) return note;
  const added = names.map((name): [string, Note[string]] => {
    const others = (note[name] ?? []).filter(([known]) => known !== mark);
    return [name, [...others, [mark, nowMs] satisfies Note[string][number]].slice(-MAX_MEETINGS)];
  });
  // Behind all others, as those who appeared last.
  return { ...note, ...Object.fromEntries(added) };
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
