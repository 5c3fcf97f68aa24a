import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { z } from 'zod';

import { changeRecord, type SharedStore } from './store/shared-store.ts';

const RECORD = 'approval-key';
const KEPT_MS = 10 * 365 * 24 * 60 * 60 * 1000;
const keySchema = z.string().regex(/^[0-9a-f]{64}$/);

/** The key of an installation's approval links, which its store keeps; made when it is not there. */
export async function openApprovalKey(
  store: Pick<SharedStore, 'swap' | 'read'>,
  nowMs: number,
): Promise<string> {
  const known = await store.read(RECORD);
  const fresh = randomBytes(32).toString('hex');
  const { answer } = await changeRecord(
    store,
    { name: RECORD, schema: keySchema, keepMs: KEPT_MS, known },
    (key) => (key === undefined ? { answer: fresh, next: fresh } : { answer: key }),
    nowMs,
  );
  return answer;
}

/** What a link of a request for approval holds: the request's id and a MAC over it. 144 hex digits. */
export function writeApprovalToken(key: string, id: string): string {
  return `${id}${computeMac(key, id).toString('hex')}`;
}

/** The request that a token names; undefined: it is not one of ours. Constant time. */
export function readApprovalToken(key: string, token: string): string | undefined {
  if (!/^[0-9a-f]{144}$/.test(token)) return undefined;
  const [id, mac] = [token.slice(0, 80), token.slice(80)];
  return timingSafeEqual(Buffer.from(mac, 'hex'), computeMac(key, id)) ? id : undefined;
}

function computeMac(key: string, id: string): Buffer {
  // The label keeps it from being any other token of this key.
  return createHmac('sha256', Buffer.from(key, 'hex')).update(`approval link ${id}`).digest();
}
