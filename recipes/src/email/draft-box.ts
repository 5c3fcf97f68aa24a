import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Where a draft is: waiting, being sent, or sent. */
export type DraftPlace = 'waiting' | 'sending' | 'sent';

export const usualOutbox = '.aftermeet/outbox';

const folders: Readonly<Record<DraftPlace, string>> = { waiting: '', sending: 'sending', sent: 'sent' };

/** Whether it names a draft and leads nowhere else. */
export function isDraftKey(text: string): boolean {
  return /^[\w-]{1,128}$/.test(text);
}

/** The file of a draft. */
export function draftPath(outbox: string, key: string, place: DraftPlace): string {
  return path.join(outbox, folders[place], `${key}.eml`);
}

/** Where a draft is, if it is anywhere. */
export async function findDraft(outbox: string, key: string): Promise<DraftPlace | undefined> {
  const found = await findOpen(outbox, key);
  if (found !== undefined) return found.place;
  return (await exists(draftPath(outbox, key, 'sent'))) ? 'sent' : undefined;
}

/** The file of a draft that waits or is being sent. */
export interface DraftFile {
  readonly key: string;
  readonly file: string;
  readonly place: OpenPlace;
  /** Since when somebody is at it, sending or changing it, milliseconds since 1970; absent: nobody is. */
  readonly claimedAtMs?: number;
}

type OpenPlace = 'waiting' | 'sending';

/** Looks twice into each folder: a draft may move, while one is read, into the one that was read before. */
async function findOpen(outbox: string, key: string): Promise<DraftFile | undefined> {
  for (const place of ['sending', 'waiting', 'sending', 'waiting'] as const) {
    const found = (await listDraftFiles(outbox, place)).find((file) => file.key === key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The drafts of one folder; one that is not there is empty. */
export async function listDraftFiles(outbox: string, place: OpenPlace): Promise<readonly DraftFile[]> {
  const folder = path.join(outbox, folders[place]);
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return names.flatMap((name) => {
    const [, key, claimedAt] = /^([\w-]{1,128})(?:\.(\d{1,16}))?\.eml$/.exec(name) ?? [];
    if (key === undefined) return [];
    const claimed = claimedAt === undefined ? {} : { claimedAtMs: Number(claimedAt) };
    return [{ key, file: path.join(folder, name), place, ...claimed }];
  });
}

export interface ClaimWishes {
  /** Take also what an earlier approval was cut off at. */
  readonly again?: boolean;
  readonly nowMs: number;
  /** After this long nobody is at it any more who said so before, milliseconds. */
  readonly overMs: number;
}

export type DraftClaim =
  | { readonly result: 'claimed'; readonly file: string }
  /** Somebody is at it now, or was cut off while sending it. */
  | { readonly result: 'taken'; readonly isUnderWay: boolean }
  | { readonly result: 'missing' };

/**
 * Takes a draft, to send it (`sending`) or to change it or throw it away (`waiting`). Each claim gives the file a name of
 * its own, so of all who saw it under the old one, one gets it; the name says since when, so that a claim whose process
 * died does not stand for ever. A draft has one file at any time.
 */
export async function claimDraft(
  outbox: string,
  key: string,
  place: OpenPlace,
  { again = false, nowMs, overMs }: ClaimWishes,
): Promise<DraftClaim> {
  const file = path.join(outbox, folders[place], `${key}.${Math.trunc(nowMs)}.eml`);
  if (await moveDraft(draftPath(outbox, key, 'waiting'), file)) return { result: 'claimed', file };
  const taken = await findOpen(outbox, key);
  if (taken === undefined) return { result: 'missing' };
  const isUnderWay = isClaimed(taken, { nowMs, overMs });
  // Whoever was cut off while changing it has sent nothing: it waits.
  const isFree = !isUnderWay && (again || taken.place === 'waiting');
  if (!isFree) return { result: 'taken', isUnderWay };
  if (await moveDraft(taken.file, file)) return { result: 'claimed', file };
  return { result: 'taken', isUnderWay: true };
}

/** Whether somebody may still be at it. */
export function isClaimed(
  { claimedAtMs }: DraftFile,
  { nowMs, overMs }: Pick<ClaimWishes, 'nowMs' | 'overMs'>,
): boolean {
  return claimedAtMs !== undefined && nowMs - claimedAtMs < overMs;
}

/** Puts a draft into the outbox, whole or not at all, for nobody else's eyes: mode 0600. */
export async function writeDraft(outbox: string, key: string, content: Buffer): Promise<void> {
  await writeWhole(outbox, key, content, async (written) => {
    await rename(written, draftPath(outbox, key, 'waiting'));
  });
  await keepNames(outbox);
}

/** Puts another mail in the place of a draft that waits; what it answers is `claimed` when it did. */
export async function changeDraft(
  outbox: string,
  key: string,
  content: Buffer,
  wishes: Omit<ClaimWishes, 'again'>,
): Promise<DraftClaim> {
  return await writeWhole(outbox, key, content, async (written) => {
    const claim = await claimDraft(outbox, key, 'waiting', wishes);
    if (claim.result !== 'claimed') return claim;
    await rename(written, claim.file);
    await moveDraft(claim.file, draftPath(outbox, key, 'waiting'));
    return claim;
  });
}

/** Takes a draft away that waits; false when it does not, or when somebody is at it. */
export async function removeDraft(
  outbox: string,
  key: string,
  wishes: Omit<ClaimWishes, 'again'>,
): Promise<boolean> {
  const claim = await claimDraft(outbox, key, 'waiting', wishes);
  if (claim.result !== 'claimed') return false;
  await rm(claim.file, { force: true });
  return true;
}

/** Writes a file that is no draft yet, and lets `use` make it one; what is left of it afterwards goes. */
async function writeWhole<Result>(
  outbox: string,
  key: string,
  content: Buffer,
  use: (written: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const temporary = path.join(outbox, `.${key}.${randomUUID()}`);
  try {
    await using(await open(temporary, 'wx', 0o600), async (file) => {
      await file.writeFile(content);
      await file.sync();
    });
    return await use(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Moves a draft's file, for good when it returns; false when it is not there any more. Of two who move it at once, one
 * does. A draft that is sent must not wait again after a power cut.
 */
export async function moveDraft(from: string, to: string): Promise<boolean> {
  const folder = path.dirname(to);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  // The new name first: between the two a draft may be there twice, never not at all.
  await keepNames(folder);
  await keepNames(path.dirname(from));
  return true;
}

/** The names in a folder outlive a power cut too. Windows opens no folder, and keeps its names by itself. */
async function keepNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using(await open(folder, 'r'), (opened) => opened.sync());
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function using(file: FileHandle, act: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await act(file);
  } finally {
    await file.close();
  }
}
