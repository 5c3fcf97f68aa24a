import { asFields, firstText } from '../report/loose.ts';
import type { NoteFolder } from './note-folder.ts';
import type { UploadedMeeting } from './read-upload-answer.ts';

const MAX_NOTES = 1000;
const DAY_MS = 24 * 3600 * 1000;
const FINISHED_DAYS = 180;
/** The service forgets a session that nobody goes on with; how soon is not shown. */
const UNFINISHED_DAYS = 30;
/** Of a process that was killed while it wrote. */
const TEMPORARY_DAYS = 1;

/** What was uploaded before, known again by its content. */
export interface FinishedUploads {
  /** Whether looking at the content is worth while: it takes reading all of it. */
  hasSize(size: number): Promise<boolean>;
  find(size: number, sha256: string): Promise<UploadedMeeting | undefined>;
  add(size: number, sha256: string, meeting: UploadedMeeting): Promise<void>;
  forget(size: number, sha256: string): Promise<void>;
}

/** Size and hash stand in the name of a note, so that looking for one opens no others. */
export function createFinishedUploads(
  folder: NoteFolder,
  scope: string,
  clock: () => number,
  maxNotes = MAX_NOTES,
): FinishedUploads {
  const begin = (size: number): string => `done-${scope}-${size}-`;
  return {
    hasSize: async (size) => (await folder.list()).some((name) => name.startsWith(begin(size))),
    async find(size, sha256) {
      const fields = asFields(await folder.read(`${begin(size)}${sha256}.json`)) ?? {};
      const meetingId = firstText(fields, 'meetingId');
      const userId = firstText(fields, 'userId');
      if (meetingId === undefined) return undefined;
      return { meetingId, ...(userId === undefined ? {} : { userId }) };
    },
    async add(size, sha256, meeting) {
      await folder.write(`${begin(size)}${sha256}.json`, meeting);
      await prune(folder, clock(), maxNotes);
    },
    forget: (size, sha256) => folder.remove(`${begin(size)}${sha256}.json`),
  };
}

const namePattern =
  /^(?:done|part)-[0-9a-f]{32}[0-9a-f-]*\.(?:json|lock)(?:\.(?:[0-9a-f-]+|takeover)\.tmp)?$/;

interface AgedNote {
  readonly name: string;
  readonly ageMs: number;
}

/** Only what bears a name of ours goes: whatever else is in the folder is somebody's. */
async function prune(folder: NoteFolder, nowMs: number, maxNotes: number): Promise<void> {
  const names = (await folder.list()).filter((name) => namePattern.test(name));
  const notes: readonly AgedNote[] = await Promise.all(
    names.map(async (name) => ({ name, ageMs: nowMs - ((await folder.changedMs(name)) ?? nowMs) })),
  );
  const surplus = notes
    .filter(isFinished)
    .toSorted((one, other) => one.ageMs - other.ageMs)
    .slice(maxNotes);
  await Promise.all([...notes.filter(isOld), ...surplus].map(({ name }) => folder.remove(name)));
}

function isFinished({ name }: AgedNote): boolean {
  return name.startsWith('done-') && !isUnderWay(name);
}

function isUnderWay(name: string): boolean {
  return name.endsWith('.tmp');
}

function isOld(note: AgedNote): boolean {
  return note.ageMs > keptDays(note) * DAY_MS;
}

function keptDays(note: AgedNote): number {
  if (isUnderWay(note.name)) return TEMPORARY_DAYS;
  return isFinished(note) ? FINISHED_DAYS : UNFINISHED_DAYS;
}
