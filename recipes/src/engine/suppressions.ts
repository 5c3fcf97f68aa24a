import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

import { z } from 'zod';

import { type FollowedMarks, followMarks, listMarks, setMark } from './store/shared-marks.ts';
import type { SharedStore } from './store/shared-store.ts';

const RECORD = 'suppressions';

/** Somebody who gets no mail and no direct message. */
export interface Suppressed {
  /** An address in lower case, or the id of a member of Slack. */
  readonly address: string;
  /** Only about this meeting; a series shares one id. Absent: about all. */
  readonly meetingId?: string | undefined;
}

export interface Suppression extends Suppressed {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly who: string;
}

/** The suppression list, as a worker knows it. */
export interface Suppressions extends Pick<FollowedMarks, 'close'> {
  /** Whether one of the addresses is on the list, for this meeting or for all. */
  covers(addresses: readonly string[], meetingId: string): boolean;
}

/** The cause of an effect whose recipient is on the list. */
export const SUPPRESSED = 'its recipient is on the suppression list';

/** Follows the suppression list of an installation. While the store is away, what was known stands. */
export async function openSuppressions(store: Pick<SharedStore, 'read'>): Promise<Suppressions> {
  const marks = followMarks(store, RECORD, await store.read(RECORD));
  return {
    covers: (addresses, meetingId) =>
      addresses.some((address) => marks.has(keyOf({ address })) || marks.has(keyOf({ address, meetingId }))),
    close: () => marks.close(),
  };
}

/** Puts somebody on the list, or takes them from it. Answers whether that changed anything. */
export async function setSuppression(
  store: Pick<SharedStore, 'swap' | 'read'>,
  {
    isSuppressed,
    who,
    nowMs,
    ...whom
  }: Suppressed & { readonly isSuppressed: boolean; readonly who: string; readonly nowMs: number },
): Promise<boolean> {
  return await setMark(store, RECORD, { key: keyOf(whom), isSet: isSuppressed, who, nowMs });
}

/** Who is on the list, the newest first. */
export async function listSuppressions(store: Pick<SharedStore, 'read'>): Promise<readonly Suppression[]> {
  return (await listMarks(store, RECORD)).map(({ key, ...facts }): Suppression => {
    const [address = '', meetingId = ''] = key.split(' ');
    return { address, ...(meetingId === '' ? {} : { meetingId }), ...facts };
  });
}

/** Ids of Slack are upper case; in lower case they are no address. */
function keyOf({ address, meetingId = '' }: Suppressed): string {
  const name = address.trim().toLowerCase();
  return meetingId === '' ? name : `${name} ${meetingId}`;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * What an unsubscribe link holds: the recipient and the meeting, encrypted, so that the address stands in no log of a proxy
 * and a link can be made with the key alone. The same content has the same token. `key` is 64 hex digits.
 */
export function writeUnsubscribeToken(key: string, { address, meetingId = '' }: Suppressed): string {
  const text = JSON.stringify([address.toLowerCase(), meetingId]);
  const iv = derive(key, `unsubscribe iv ${text}`).subarray(0, IV_BYTES);
  const cipher = createCipheriv(CIPHER, derive(key, 'unsubscribe key'), iv);
  const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

const contentSchema = z.tuple([z.string(), z.string()]);

/** Whom a token names; undefined: it is not one of ours. */
export function readUnsubscribeToken(key: string, token: string): Suppressed | undefined {
  if (!/^[\w-]{40,2000}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const decipher = createDecipheriv(CIPHER, derive(key, 'unsubscribe key'), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text =
      decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)).toString() + decipher.final().toString();
    const [address, meetingId] = contentSchema.parse(JSON.parse(text));
    return { address, ...(meetingId === '' ? {} : { meetingId }) };
  } catch {
    return undefined;
  }
}

function derive(key: string, label: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(label).digest();
}
