import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { Located, Recalled, SentThing } from '../../engine/destination.ts';
import { readSlackCode } from './classify-slack-error.ts';
import { openSlackClient } from './connector.ts';
import { parseFileReference, parseReference } from './message.ts';
import type { SlackSettings } from './settings.ts';

const permalinkSchema = z.object({ permalink: z.url({ protocol: /^https?$/ }) });

/** The address of a message, for a browser (chat.getPermalink). Never throws. */
export async function locateMessage(
  reference: string,
  settings: SlackSettings,
  timeoutMs: number,
): Promise<Located> {
  const place = parseReference(reference);
  if (place === undefined) return { ok: false, cause: 'it is no message with an address' };
  const client = openSlackClient(settings, timeoutMs);
  try {
    const { channel, ts } = place;
    const answer = await client.chat.getPermalink({ channel, message_ts: ts });
    return { ok: true, url: permalinkSchema.parse(answer).permalink };
  } catch (error) {
    return { ok: false, cause: explain(error) };
  }
}

/** Deletes a message (chat.delete) or a file (files.delete) of ours. What is not there any more counts as deleted. Never throws. */
export async function recallMessage(
  { reference }: SentThing,
  settings: SlackSettings,
  timeoutMs: number,
): Promise<Recalled> {
  try {
    await remove(reference, openSlackClient(settings, timeoutMs));
    return { ok: true };
  } catch (error) {
    return goneCodes.has(readSlackCode(error) ?? '') ? { ok: true } : { ok: false, cause: explain(error) };
  }
}

const goneCodes: ReadonlySet<string> = new Set(['message_not_found', 'file_not_found', 'file_deleted']);

async function remove(reference: string, client: WebClient): Promise<void> {
  const message = parseReference(reference);
  if (message !== undefined) await client.chat.delete(message);
  else await client.files.delete({ file: parseFileReference(reference) ?? '' });
}

function explain(error: unknown): string {
  const code = readSlackCode(error);
  return code === undefined ? 'Slack does not answer' : `Slack answers ${code}`;
}
