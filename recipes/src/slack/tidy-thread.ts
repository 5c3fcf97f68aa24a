import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { UpdateResult } from '../shipment.ts';
import { classifySlackUpdate } from './classify-slack-error.ts';
import type { SlackMessage } from './slack-message.ts';
import { effectEventType } from './slack-reference.ts';

/** What stands in place of a reply that its recap has no more. */
const retiredText = 'This part is not in the report any more.';

const threadSchema = z.object({ messages: z.array(z.unknown()).default([]) });
const replySchema = z.object({
  ts: z.string(),
  text: z.string().default(''),
  metadata: z.object({
    event_type: z.literal(effectEventType),
    event_payload: z.object({ reply: z.int().min(1) }),
  }),
});

type Failure = Exclude<UpdateResult, { result: 'sent' }>;

interface ThreadTools {
  readonly client: WebClient;
  /** Changes the message of that `ts` in the same channel. Throws what Slack's client throws. */
  readonly change: (ts: string, message: SlackMessage) => Promise<unknown>;
  /** Nothing is begun after it says no. */
  readonly mayGoOn: () => boolean;
}

/**
 * Of a recap that was made again, empties the replies that are left over: what they said is out of date. One that was
 * emptied and belongs to it again says what it said: its own effect finds its words unchanged since they were sent, and
 * leaves it alone. Only that is worth another try, and is answered then: what else stands in the way is no failure of
 * the recap.
 */
export async function tidyThread(
  { channel, ts }: { readonly channel: string; readonly ts: string },
  replies: readonly SlackMessage[],
  { client, change, mayGoOn }: ThreadTools,
): Promise<Failure | undefined> {
  const orNone = (failure: Failure): Failure | undefined => (replies.length > 0 ? failure : undefined);
  if (!mayGoOn()) return orNone(tooSlow);
  try {
    const asked = { channel, ts, limit: 200, include_all_metadata: true };
    const { messages } = threadSchema.parse(await client.conversations.replies(asked));
    for (const message of messages) {
      const { data: reply } = replySchema.safeParse(message);
      if (reply === undefined) continue;
      const wanted = replies[reply.metadata.event_payload.reply - 1];
      const isRetired = reply.text === retiredText;
      if (isRetired === (wanted === undefined)) continue;
      if (!mayGoOn()) return orNone(tooSlow);
      await change(reply.ts, wanted ?? retired);
    }
    return undefined;
  } catch (error) {
    const failure = classifySlackUpdate(error);
    return failure.result === 'permanent' || failure.result === 'gone' ? undefined : orNone(failure);
  }
}

const tooSlow: Failure = {
  result: 'not_sent_retry',
  cause: 'Slack was too slow for the replies to be seen to',
  contact: 'answered',
};

const retired: SlackMessage = {
  text: retiredText,
  blocks: [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [{ type: 'text', text: retiredText, style: { italic: true } }],
        },
      ],
    },
  ],
};
