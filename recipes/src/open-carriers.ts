import type { DestinationName, Destinations } from './destinations.ts';
import { openMail } from './email/send-mail.ts';
import { openNotion } from './notion/send-notion-page.ts';
import type { Rendered } from './recipe.ts';
import type { Preparation, ShipmentLabel } from './shipment.ts';
import { openSlack } from './slack/send-slack-message.ts';

/** Every destination that is configured, open. */
export interface Carriers {
  prepare(rendered: Rendered, label: ShipmentLabel): Promise<Preparation>;
  close(): Promise<void>;
}

/** Opens the destinations. No connection is made before the first effect. */
export function openCarriers(destinations: Destinations, clock: () => number): Carriers {
  const slack = destinations.slack && openSlack(destinations.slack);
  const notion = destinations.notion && openNotion(destinations.notion, clock);
  const email = destinations.mail && openMail(destinations.mail);
  return {
    async prepare(rendered, label) {
      const { destination } = rendered;
      let preparation: Promise<Preparation> | undefined;
      if (destination === 'slack') preparation = slack?.prepare(rendered.message, label);
      else if (destination === 'notion') preparation = notion?.prepare(rendered.message, label);
      else preparation = email?.prepare(rendered.message, label);
      const cause = `${destination} is not configured any more`;
      return (await preparation) ?? { result: 'permanent', cause };
    },
    async close() {
      await Promise.all([slack?.close(), notion?.close(), email?.close()]);
    },
  };
}

/**
 * The gap that keeps a destination's limit: Slack takes about one message a second in a channel, Notion
 * 180 requests a minute over a connection, a mail server what it likes.
 */
const gapsMs: Record<DestinationName, number> = { slack: 1000, notion: 400, email: 0 };

/** What of a destination shares a limit: in Slack each channel has its own. */
export function describeLane(
  destination: DestinationName,
  target: string,
): { readonly lane: string; readonly gapMs: number } {
  const lane = destination === 'slack' ? `slack ${target}` : destination;
  return { lane, gapMs: gapsMs[destination] };
}
