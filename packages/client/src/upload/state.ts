import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { UploadDetails } from '../client.ts';
import type { Connection } from '../http.ts';
import { asFields, asList, asText, firstText } from '../loose.ts';
import type { UploadedMeeting } from './chunk-format.ts';
import { takeLock } from './lock.ts';
import { toFileError } from './upload-errors.ts';
import type { FileIdentity } from './upload-file.ts';
import type { Attempt, FinalRequest, UploadState } from './upload-state.ts';

export interface StateFacts {
  /** Created if it is missing. */
  readonly folder: string;
  readonly connection: Pick<Connection, 'baseUrl' | 'apiKey' | 'clock'>;
  readonly identity: FileIdentity;
  readonly details: UploadDetails;
  readonly size: number;
  readonly chunkBytes: number;
}

const VERSION = 1;

/**
 * Opens the state file of an upload. Throws `conflict` while another process uploads the same file. A damaged state
 * file counts as none.
 */
export async function openState(facts: StateFacts): Promise<UploadState> {
  const { folder, connection, identity, size, chunkBytes } = facts;
  const { clock } = connection;
  const scope = nameScope(connection);
  const name = nameState(scope, identity.path, facts.details);
  await makeFolder(folder).catch((error: unknown) => {
    throw toFileError('the state folder cannot be made', error);
  });
  const release = await takeLock(join(folder, name.replace(/json$/, 'lock')), clock);
  await removeLeftovers(folder, name);
  const unfinished = parseAttempt(await readJson(folder, name), facts);
  const accepted = new Map<number, string>();
  let rest: Omit<Attempt, 'accepted'> | undefined;
  const save = async (): Promise<void> => {
    if (rest === undefined) return;
    const { path, modified } = identity;
    const state = { version: VERSION, kind: 'unfinished', path, modified, size, chunkBytes, ...rest };
    await writeJson(folder, name, { ...state, accepted: [...accepted] });
  };
  let saved = Promise.resolve();

  return {
    unfinished,
    findFinished: (wanted) => listFinished(folder, scope, wanted, clock()),
    forgetFinished: (sha256) => removeFinished(folder, scope, size, sha256),
    begin: async (attempt) => {
      const { id, sessionId, final } = attempt;
      rest = { id, sessionId, final };
      accepted.clear();
      for (const [number, sha256] of attempt.accepted) accepted.set(number, sha256);
      await save();
    },
    accept: async (chunkNumber, sha256) => {
      accepted.set(chunkNumber, sha256);
      // A disk that is full by now costs the next run some chunks, not this one its upload.
      saved = saved.then(save).catch(() => {});
      await saved;
    },
    recordFinalRequest: async (final) => {
      if (rest !== undefined) rest = { ...rest, final };
      await save();
    },
    finish: async (sha256, meeting) => {
      const state = {
        version: VERSION,
        kind: 'finished',
        scope,
        size,
        sha256,
        ...meeting,
        finishedMs: clock(),
      };
      // The upload is done: a failure to store that changes nothing about it, but an old attempt must not stay.
      await writeJson(folder, name, state).catch(() =>
        rm(join(folder, name), { force: true }).catch(() => {}),
      );
      await removeOld(folder, clock());
    },
    release,
  };
}

/**
 * Names a workspace of a service without naming either: meetings of one are unknown in another. The key is part of it
 * because nothing else distinguishes workspaces; a hash of it cannot be turned back.
 */
export function nameScope({ baseUrl, apiKey }: Pick<Connection, 'baseUrl' | 'apiKey'>): string {
  return digestOf(baseUrl, apiKey);
}

/** The same file with other details is another upload. */
export function nameState(scope: string, path: string, details: UploadDetails): string {
  const given = Object.entries(details).filter(([, value]) => value !== undefined);
  return `part-${digestOf(scope, path, JSON.stringify(given.toSorted(([a], [b]) => (a < b ? -1 : 1))))}.json`;
}

const DIGEST_LENGTH = 32;

function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGEST_LENGTH);
}

/** The attempt, if it is one of this very file as it is now. */
function parseAttempt(raw: unknown, { identity, size, chunkBytes }: StateFacts): Attempt | undefined {
  const fields = asFields(raw) ?? {};
  const isSame =
    fields['version'] === VERSION &&
    fields['kind'] === 'unfinished' &&
    fields['path'] === identity.path &&
    fields['size'] === size &&
    fields['modified'] === identity.modified &&
    fields['chunkBytes'] === chunkBytes;
  const id = asText(fields['id']);
  const sessionId = asText(fields['sessionId']);
  const accepted = parseAccepted(fields['accepted'], Math.ceil(size / chunkBytes));
  const final = parseFinal(fields['final']);
  if (!isSame || id === undefined || sessionId === undefined || accepted === undefined) return undefined;
  if (!isUuid(id) || !isUuid(sessionId) || final === undefined) return undefined;
  return { id, sessionId, accepted, final };
}

function parseFinal(raw: unknown): FinalRequest | undefined {
  if (raw === 'unsent' || raw === 'refused') return raw;
  const sentMs = asFields(raw)?.['sentMs'];
  return typeof sentMs === 'number' ? { sentMs } : undefined;
}

function parseAccepted(raw: unknown, chunkCount: number): ReadonlyMap<number, string> | undefined {
  const accepted = new Map<number, string>();
  for (const entry of asList(raw)) {
    const [number, digest] = asList(entry);
    if (typeof number !== 'number' || !Number.isInteger(number) || typeof digest !== 'string') {
      return undefined;
    }
    if (number < 0 || number >= chunkCount) return undefined;
    accepted.set(number, digest);
  }
  return Array.isArray(raw) ? accepted : undefined;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

const DAY_MS = 24 * 3600 * 1000;
/** Of uploads that are finished, and of those that are not: the service forgets a session, how soon is not shown. */
const KEPT_DAYS = 30;
/** Of a process that was killed while it wrote. */
const TEMPORARY_DAYS = 1;

const statePattern = /^part-[0-9a-f]{32}\.json$/;

interface FinishedFile {
  readonly name: string;
  readonly sha256: string;
  readonly meeting: UploadedMeeting;
}

async function listFinished(
  folder: string,
  scope: string,
  size: number,
  nowMs: number,
): Promise<ReadonlyMap<string, UploadedMeeting>> {
  const files = await findFinishedFiles(folder, scope, size);
  const kept = await Promise.all(
    files.map(async (file) => ((await ageOf(folder, file.name, nowMs)) > KEPT_DAYS * DAY_MS ? [] : [file])),
  );
  return new Map(kept.flat().map(({ sha256, meeting }) => [sha256, meeting]));
}

async function findFinishedFiles(
  folder: string,
  scope: string,
  size: number,
): Promise<readonly FinishedFile[]> {
  const names = await listFolder(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      if (!statePattern.test(name)) return [];
      const fields = asFields(await readJson(folder, name)) ?? {};
      const isFinished =
        fields['version'] === VERSION &&
        fields['kind'] === 'finished' &&
        fields['scope'] === scope &&
        fields['size'] === size;
      const sha256 = isFinished ? asText(fields['sha256']) : undefined;
      const meetingId = firstText(fields, 'meetingId');
      const userId = firstText(fields, 'userId');
      if (sha256 === undefined || meetingId === undefined) return [];
      return [{ name, sha256, meeting: { meetingId, ...(userId === undefined ? {} : { userId }) } }];
    }),
  );
  return found.flat();
}

async function removeFinished(folder: string, scope: string, size: number, sha256: string): Promise<void> {
  const files = await findFinishedFiles(folder, scope, size);
  const names = files.filter((file) => file.sha256 === sha256).map(({ name }) => name);
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true }).catch(() => {})));
}

const ownPattern = /^part-[0-9a-f]{32}[0-9a-f-]*\.(?:json|lock)(?:\.(?:[0-9a-f-]+|takeover)\.tmp)?$/;

/** Only files with a name of ours: anything else in the folder belongs to the user. */
async function removeOld(folder: string, nowMs: number): Promise<void> {
  const names = (await listFolder(folder)).filter((name) => ownPattern.test(name));
  await Promise.all(
    names.map(async (name) => {
      const days = name.endsWith('.tmp') ? TEMPORARY_DAYS : KEPT_DAYS;
      if ((await ageOf(folder, name, nowMs)) <= days * DAY_MS) return;
      await rm(join(folder, name), { force: true }).catch(() => {});
    }),
  );
}

/** Of runs that were killed while they wrote: only the holder of the lock writes this file. */
async function removeLeftovers(folder: string, name: string): Promise<void> {
  const leftovers = (await listFolder(folder)).filter(
    (entry) => entry.startsWith(`${name}.`) && entry.endsWith('.tmp'),
  );
  await Promise.all(leftovers.map((entry) => rm(join(folder, entry), { force: true }).catch(() => {})));
}

async function ageOf(folder: string, name: string, nowMs: number): Promise<number> {
  const stats = await stat(join(folder, name)).catch(() => undefined);
  return nowMs - (stats?.mtimeMs ?? nowMs);
}

function listFolder(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Undefined if there is none or it is no JSON. */
async function readJson(folder: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** A reader meanwhile gets the old file or the new one, never a part. Only its owner may read it. */
async function writeJson(folder: string, name: string, value: unknown): Promise<void> {
  // A name that cannot be guessed: a link that was put there before would be written through.
  const temporary = join(folder, `${name}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw toFileError('the state folder cannot be written', error);
  }
}

const OWNER_ONLY = 0o700;

/**
 * Creates a folder and those above it, for their owner only; one that exists stays as it is. Throws the system's error.
 * Not `mkdir` with `recursive`: below /proc, where a folder cannot be created, Node tries for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    const isParentMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isParentMissing || parent === path) throw error;
    await makeFolder(parent);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: OWNER_ONLY });
  } catch (error) {
    // Some systems say of a folder that exists that it may not be created.
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  }
}
