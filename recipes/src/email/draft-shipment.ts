import { createTransport, type SendMailOptions } from 'nodemailer';

import type { NotSent, ProbeResult, Shipment, UpdateResult } from '../shipment.ts';
import { changeDraft, findDraft, isDraftKey, writeDraft } from './draft-box.ts';

/** How long writing one may take: a folder can be a share. */
const writeTimeoutMs = 30_000;
const prefix = 'draft:';

/** The whole message as a mail program opens it: `X-Unsent` makes it one that is still to be sent. */
async function buildDraft(mail: SendMailOptions): Promise<Buffer> {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { message } = await transport.sendMail({
    ...mail,
    headers: { ...plainHeaders(mail.headers), 'X-Unsent': '1' },
  });
  if (!Buffer.isBuffer(message)) throw new Error('the mail could not be written');
  return message;
}

function plainHeaders(headers: SendMailOptions['headers']): Record<string, string> {
  const entries = headers === undefined || Array.isArray(headers) ? [] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

export interface DraftTools {
  readonly outbox: string;
  readonly effectKey: string;
  /** The mail under the key of an effect. */
  readonly compose: (effectKey: string) => SendMailOptions;
  /** Lets go of what the mail was made of. */
  readonly release: () => Promise<void>;
  /** After this long nobody is sending a draft any more who said so before, milliseconds. */
  readonly overMs: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** A mail that is kept for approval. It can be asked for and changed, which a mail that was sent can not. */
export function openDraftShipment(tools: DraftTools): Shipment {
  const { outbox, effectKey, compose, release, overMs, clock = Date.now } = tools;
  const keep = async <Result>(put: () => Promise<Result>): Promise<Result | NotSent> => {
    try {
      return await put();
    } catch (error) {
      return notNow(`the draft can not be kept${readCode(error)}`);
    } finally {
      await release();
    }
  };
  return {
    timeoutMs: writeTimeoutMs,
    send: () =>
      keep(async () => {
        await writeDraft(outbox, effectKey, await buildDraft(compose(effectKey)));
        return { result: 'sent', reference: prefix + effectKey, contact: 'none' };
      }),
    probe: async (): Promise<ProbeResult> => {
      try {
        const place = await findDraft(outbox, effectKey);
        if (place === undefined) return { result: 'absent', contact: 'none' };
        return { result: 'found', reference: prefix + effectKey, contact: 'none' };
      } catch (error) {
        return {
          result: 'not_asked',
          cause: `the outbox can not be read${readCode(error)}`,
          contact: 'none',
        };
      }
    },
    update: (reference): Promise<UpdateResult> =>
      keep(async () => {
        const key = reference.slice(prefix.length);
        if (!reference.startsWith(prefix) || !isDraftKey(key)) return gone('it was sent before, as a mail');
        const content = await buildDraft(compose(key));
        const claim = await changeDraft(outbox, key, content, { nowMs: clock(), overMs });
        if (claim.result === 'claimed') return { result: 'sent', reference, contact: 'none' };
        // It waits again where it can not be sent: then it must not say what it said before.
        if (claim.result === 'taken' && claim.isUnderWay) return notNow('somebody is sending the draft');
        return gone('the draft was approved or discarded');
      }),
  };
}

function notNow(cause: string): NotSent {
  return { result: 'not_sent_retry', cause, contact: 'none' };
}

function gone(cause: string): UpdateResult {
  return { result: 'gone', cause, contact: 'none' };
}

/** ` (EACCES)`: the code alone, because the message holds the path. */
function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? ` (${error.code})`
    : '';
}
