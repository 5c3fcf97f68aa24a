import { open, readFile, stat } from 'node:fs/promises';

import type { MailSettings } from '../destinations.ts';
import { type SendResult, sendTimeoutMs } from '../shipment.ts';
import { checkMailSettings } from './check-mail-settings.ts';
import {
  claimDraft,
  draftPath,
  type DraftPlace,
  findDraft,
  isClaimed,
  isDraftKey,
  isMissing,
  listDraftFiles,
  moveDraft,
  removeDraft,
  usualOutbox,
} from './draft-box.ts';
import { isMailAddress, type Mailbox } from './mail-address.ts';
import { readMailHead, withoutHeaders } from './mail-head.ts';
import { type MailTimeouts, openMailLane } from './mail-lane.ts';
import { cutOffMs, mailTimeouts, mailTimeoutsFor } from './mail-timeouts.ts';
import { transmitMail } from './transmit-mail.ts';

/** A mail that waits for approval. */
export interface Draft {
  /** What it is approved or discarded by. */
  readonly key: string;
  /** The file that it is now. */
  readonly file: string;
  readonly subject: string;
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly writtenAtMs: number;
  /** Somebody approved it, and is at it or was cut off: it may have arrived. */
  readonly isSending: boolean;
}

/** Bytes: the head of a mail of ours is far smaller. */
const mostHead = 64 * 1024;

/** The drafts of an outbox, the oldest first. Throws when the folder can not be read; one that is not there is empty. */
export async function listDrafts(outbox = usualOutbox): Promise<readonly Draft[]> {
  const drafts: Draft[] = [];
  for (const place of ['waiting', 'sending'] as const) {
    for (const { key, file } of await listDraftFiles(outbox, place)) {
      const draft = await readDraft(file);
      if (draft !== undefined) drafts.push({ key, file, ...draft, isSending: place === 'sending' });
    }
  }
  return drafts.toSorted((one, other) => one.writtenAtMs - other.writtenAtMs);
}

export interface ApprovalOptions {
  /** Send also what an earlier approval was cut off at: it may arrive twice, under the same Message-ID. */
  readonly again?: boolean;
  readonly timeouts?: MailTimeouts;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/**
 * Sends a draft as it stands, under its Message-ID, and files it under `sent`. Of two who approve it at once one sends
 * it. What was surely not sent waits again; what may have arrived stays apart until somebody sends it `again`.
 * Throws, before anything is taken, where the settings are none.
 */
export async function sendDraft(
  settings: MailSettings,
  key: string,
  {
    again = false,
    timeouts = mailTimeouts({ timeoutMs: sendTimeoutMs }),
    clock = Date.now,
  }: ApprovalOptions = {},
): Promise<SendResult> {
  const from = checkMailSettings(settings);
  const { outbox = usualOutbox } = settings;
  const missing: SendResult = { result: 'permanent', cause: 'there is no such draft', contact: 'none' };
  if (!isDraftKey(key)) return missing;
  const claim = await claimDraft(outbox, key, 'sending', {
    again,
    nowMs: clock(),
    overMs: cutOffMs(timeouts),
  });
  if (claim.result === 'missing') return missing;
  if (claim.result === 'taken') {
    const cause = claim.isUnderWay
      ? 'somebody is sending it, or was cut off a moment ago: it may have arrived; look again in some minutes'
      : 'an earlier approval was cut off: it may have arrived';
    return { result: 'unknown', cause, contact: 'none' };
  }
  const raw = await readWhole(claim.file);
  if (raw === undefined) return missing;
  const sent = await sendRaw(raw, { settings, from, timeouts, nowMs: clock() });
  await moveDraft(claim.file, draftPath(outbox, key, placeAfter(sent.result)));
  return sent;
}

/** `not_open`: it waits, and nobody was cut off at it. */
type DraftSettlement = 'settled' | 'under_way' | 'not_open' | 'missing';

/**
 * Takes somebody's word for what became of a draft whose sending was cut off: sent, it is filed under `sent`; else it
 * waits again. What somebody may be sending is left to them.
 */
export async function settleDraft(
  outbox: string | undefined,
  key: string,
  word: 'sent' | 'not_sent',
  {
    timeouts = mailTimeouts({ timeoutMs: sendTimeoutMs }),
    clock = Date.now,
  }: Omit<ApprovalOptions, 'again'> = {},
): Promise<DraftSettlement> {
  if (!isDraftKey(key)) return 'missing';
  const box = outbox ?? usualOutbox;
  const taken = (await listDraftFiles(box, 'sending')).find((one) => one.key === key);
  if (taken === undefined) return (await findDraft(box, key)) === 'waiting' ? 'not_open' : 'missing';
  if (isClaimed(taken, { nowMs: clock(), overMs: cutOffMs(timeouts) })) return 'under_way';
  const to = draftPath(box, key, word === 'sent' ? 'sent' : 'waiting');
  // Of those who settle it or send it again at once one has the file.
  return (await moveDraft(taken.file, to)) ? 'settled' : 'under_way';
}

/** What surely was not sent waits again; what may have arrived stays apart, and nobody is at it any more. */
function placeAfter(result: SendResult['result']): DraftPlace {
  if (result === 'sent') return 'sent';
  return result === 'unknown' ? 'sending' : 'waiting';
}

/** Takes a draft away; false when it is not there, was approved already, or somebody is at it. */
export async function discardDraft(
  outbox: string | undefined,
  key: string,
  {
    timeouts = mailTimeouts({ timeoutMs: sendTimeoutMs }),
    clock = Date.now,
  }: Omit<ApprovalOptions, 'again'> = {},
): Promise<boolean> {
  if (!isDraftKey(key)) return false;
  return await removeDraft(outbox ?? usualOutbox, key, { nowMs: clock(), overMs: cutOffMs(timeouts) });
}

interface RawSending {
  readonly settings: MailSettings;
  readonly from: Mailbox;
  readonly timeouts: MailTimeouts;
  readonly nowMs: number;
}

async function sendRaw(raw: Buffer, { settings, from, timeouts, nowMs }: RawSending): Promise<SendResult> {
  const head = readMailHead(raw.subarray(0, mostHead));
  if (!isMailAddress(head.to) || head.messageId === '') {
    return { result: 'permanent', cause: 'the draft is not a mail of ours, or was changed', contact: 'none' };
  }
  const date = `Date: ${new Date(nowMs).toUTCString().replace('GMT', '+0000')}\r\n`;
  const content = Buffer.concat([Buffer.from(date), withoutHeaders(raw, ['x-unsent', 'date'])]);
  const lane = openMailLane(settings, timeouts);
  try {
    const envelope = { from: from.address, to: [head.to] };
    const granted = mailTimeoutsFor(timeouts, content.length);
    return await transmitMail(lane, { raw: content, envelope, messageId: head.messageId }, granted);
  } finally {
    lane.transport.close({ force: true });
  }
}

async function readDraft(file: string): Promise<Omit<Draft, 'key' | 'file' | 'isSending'> | undefined> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(mostHead) });
      const { subject, to } = readMailHead(buffer.subarray(0, bytesRead));
      return { subject, to, writtenAtMs: (await stat(file)).mtimeMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Approved or discarded meanwhile.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readWhole(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
