import { z } from 'zod';

import { changeRecord, readNote, type SharedStore } from './store/shared-store.ts';
import { hashText } from './store/store-tools.ts';

/** What a person changed of a held message when approving it. */
export interface DraftEdit {
  /** Another recipient. */
  readonly to?: string | undefined;
  readonly subject?: string | undefined;
}

const editSchema = z.object({ to: z.string().optional(), subject: z.string().optional() });

/** As long as the ledger remembers an approval. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** What an approval counts for: the content of a message and the changes that were made to it. */
export function hashDraft(contentHash: string, { to, subject }: DraftEdit = {}): string {
  if (to === undefined && subject === undefined) return contentHash;
  return hashText(JSON.stringify(['edited', contentHash, to ?? null, subject ?? null]));
}

/** Keeps a change until the message is sent, under what its approval counts for. */
export async function keepEdit(
  store: Pick<SharedStore, 'swap'>,
  effectKey: string,
  approved: string,
  edit: DraftEdit,
  nowMs: number,
): Promise<void> {
  const record = { name: nameOf(effectKey, approved), schema: editSchema, keepMs: KEPT_MS };
  await changeRecord(store, record, () => ({ answer: undefined, next: edit }), nowMs);
}

/** Forgets a change: what a person wrote may hold an address. */
export async function dropEdit(
  store: Pick<SharedStore, 'swap' | 'read'>,
  effectKey: string,
  approved: string,
  nowMs: number,
): Promise<void> {
  const name = nameOf(effectKey, approved);
  const known = await store.read(name);
  if (known === undefined) return;
  await changeRecord(
    store,
    { name, schema: editSchema, keepMs: 1, known },
    () => ({ answer: undefined, next: {} }),
    nowMs,
  );
}

/**
 * The change that an approval counts for, provided that the message is still the one that was changed. Undefined: the
 * approval is not for this content.
 */
export async function readEdit(
  store: Pick<SharedStore, 'read'>,
  effectKey: string,
  approved: string,
  contentHash: string,
): Promise<DraftEdit | undefined> {
  const edit = readNote(editSchema, await store.read(nameOf(effectKey, approved)));
  return edit !== undefined && hashDraft(contentHash, edit) === approved ? edit : undefined;
}

function nameOf(effectKey: string, approved: string): string {
  return `draft:${effectKey}:${approved}`;
}
