import { rm } from 'node:fs/promises';

import { createTransport, type SendMailOptions } from 'nodemailer';

import type { ProbeResult, SendResult, Shipment, UpdateResult } from '../shipment.ts';
import { draftPath, findApproved, findDraft, isDraftKey, writeDraft } from './draft-box.ts';

/** How long writing one may take: a folder can be a share. */
const writeTimeoutMs = 30_000;
const prefix = 'draft:';
const goneCause = 'the draft was approved or discarded';

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
}

/** A mail that is kept for approval. It can be asked for and changed, which a mail that was sent can not. */
export function openDraftShipment({ outbox, effectKey, compose, release }: DraftTools): Shipment {
  const write = async (key: string): Promise<SendResult> => {
    try {
      await writeDraft(outbox, key, await buildDraft(compose(key)));
      return { result: 'sent', reference: prefix + key, contact: 'none' };
    } catch (error) {
      return {
        result: 'not_sent_retry',
        cause: `the draft can not be kept${readCode(error)}`,
        contact: 'none',
      };
    } finally {
      await release();
    }
  };
  return {
    timeoutMs: writeTimeoutMs,
    send: () => write(effectKey),
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
    update: async (reference): Promise<UpdateResult> => {
      const key = reference.slice(prefix.length);
      if (!reference.startsWith(prefix) || !isDraftKey(key)) {
        return { result: 'gone', cause: 'it was sent before, as a mail', contact: 'none' };
      }
      try {
        if ((await findDraft(outbox, key)) !== 'waiting') {
          return { result: 'gone', cause: goneCause, contact: 'none' };
        }
        const written = await write(key);
        // Somebody approved it in between: what has just been written is not a second mail.
        if (written.result === 'sent' && (await findApproved(outbox, key)) !== undefined) {
          await rm(draftPath(outbox, key, 'waiting'), { force: true });
          return { result: 'gone', cause: goneCause, contact: 'none' };
        }
        return written;
      } catch (error) {
        return {
          result: 'not_sent_retry',
          cause: `the outbox can not be read${readCode(error)}`,
          contact: 'none',
        };
      }
    },
  };
}

/** ` (EACCES)`: the code alone, because the message holds the path. */
function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? ` (${error.code})`
    : '';
}
