import { defineDestination, pause, readRetryAfter, refuse, retry, sent } from '@aftermeet/recipes';
import { z } from 'zod';

/** Teams takes messages of up to 28 KB. */
const MAX_BYTES = 28_000;

/** A channel of Microsoft Teams, by a workflow "When a Teams webhook request is received". */
export default defineDestination({
  name: 'teams',
  settings: z.strictObject({
    /** The address that the workflow shows. It is a secret. */
    url: z.url({ protocol: /^https?$/, error: 'the address of the workflow' }),
  }),
  /** An Adaptive Card of these parts. */
  message: z.strictObject({
    title: z.string().min(1),
    /** Teams knows bold, italic, links and lists of Markdown. */
    text: z.string(),
    facts: z.record(z.string(), z.string()).default({}),
  }),
  policy: { gap: '1s' },
  send: async (message, { settings, signal }) => {
    const body = JSON.stringify({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: writeCard(message) }],
    });
    if (Buffer.byteLength(body) > MAX_BYTES) return refuse('the card is larger than 28 KB: shorten its text');
    const headers = { 'content-type': 'application/json' };
    // A throw, such as a timeout, means that it is not known whether Teams has it.
    const { status, headers: answer } = await fetch(settings.url, { method: 'POST', headers, body, signal });
    if (status >= 200 && status < 300) return sent();
    if (status === 429) {
      const afterMs = readRetryAfter(answer.get('retry-after'), Date.now()) ?? 30_000;
      return retry('Teams asks for a pause', { afterMs });
    }
    if (status >= 500) return retry(`Teams is in trouble (${status})`);
    if ([401, 403, 404].includes(status)) return pause(`the workflow does not take the address (${status})`);
    return refuse(`Teams refuses the card (${status})`);
  },
});

interface Card {
  readonly title: string;
  readonly text: string;
  readonly facts: Readonly<Record<string, string>>;
}

function writeCard({ title, text, facts }: Card) {
  return {
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: title, weight: 'bolder', size: 'medium', wrap: true },
      { type: 'TextBlock', text, wrap: true },
      { type: 'FactSet', facts: Object.entries(facts).map(([name, value]) => ({ title: name, value })) },
    ],
  };
}
