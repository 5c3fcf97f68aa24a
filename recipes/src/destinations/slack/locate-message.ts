import { z } from 'zod';

import type { Located } from '../../engine/destination.ts';
import { readSlackCode } from './classify-slack-error.ts';
import { openSlackClient } from './connector.ts';
import { parseReference } from './message.ts';
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
    const code = readSlackCode(error);
    return { ok: false, cause: code === undefined ? 'Slack does not answer' : `Slack answers ${code}` };
  }
}
