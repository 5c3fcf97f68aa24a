import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import { effectEventType } from './slack-reference.ts';

/** What stands in place of a reply that its recap has no more. */
const retiredText = 'This part is not in the report any more.';

const threadSchema = z.object({ messages: z.array(z.unknown()).default([]) });
const replySchema = z.object({
  ts: z.string(),
  text: z.string().default(''),
  metadata: z.object({
    event_type: z.literal(effectEventType),
    event_payload: z.object({ reply: z.number() }),
  }),
});

/**
 * Of a recap that was made again with fewer replies than before, empties those that are left over: what they said is
 * out of date. Done as well as it can be: whatever stands in its way is no failure of the recap, and nothing is begun
 * after `mayGoOn` says no.
 */
export async function retireReplies(
  client: WebClient,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  replies: number,
  mayGoOn: () => boolean,
): Promise<void> {
  if (!mayGoOn()) return;
  try {
    const asked = { channel, ts, limit: 200, include_all_metadata: true };
    const { messages } = threadSchema.parse(await client.conversations.replies(asked));
    for (const message of messages) {
      const { data: reply } = replySchema.safeParse(message);
      const isLeftOver = reply !== undefined && reply.metadata.event_payload.reply > replies;
      if (!isLeftOver || reply.text === retiredText) continue;
      if (!mayGoOn()) return;
      await client.chat.update({ channel, ts: reply.ts, text: retiredText, blocks: [retiredBlock()] });
    }
  } catch {
    // They stay as they are; the message above them is right.
  }
}

function retiredBlock() {
  const text = { type: 'text' as const, text: retiredText, style: { italic: true } };
  const section = { type: 'rich_text_section' as const, elements: [text] };
  return { type: 'rich_text' as const, elements: [section] };
}
