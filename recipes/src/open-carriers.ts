import type { DestinationName, Destinations } from './destinations.ts';
import { mailTimeouts, openMail } from './email/send-mail.ts';
import { openNotion } from './notion/send-notion-page.ts';
import type { DeliveryPolicies } from './pace/policy.ts';
import type { Rendered } from './recipe.ts';
import type { Preparation, ShipmentLabel } from './shipment.ts';
import { openSlack } from './slack/send-slack-message.ts';

/** Every destination that is configured, open. */
export interface Carriers {
  prepare(rendered: Rendered, label: ShipmentLabel): Promise<Preparation>;
  close(): Promise<void>;
}

/** Opens the destinations. No connection is made before the first effect. */
export function openCarriers(
  destinations: Destinations,
  clock: () => number,
  policies: DeliveryPolicies,
): Carriers {
  const slack = destinations.slack && openSlack(destinations.slack, policies.slack.timeoutMs);
  const notion = destinations.notion && openNotion(destinations.notion, clock, policies.notion.timeoutMs);
  const email = destinations.mail && openMail(destinations.mail, mailTimeouts(policies.email));
  return {
    async prepare(rendered, label) {
      const { destination } = rendered;
      let preparation: Promise<Preparation> | undefined;
      if (destination === 'slack') preparation = slack?.prepare(rendered.message, label);
      else if (destination === 'notion') preparation = notion?.prepare(rendered.message, label);
      else preparation = email?.prepare(rendered.message, label);
      const cause = `${destination} is not configured any more`;
      return (await preparation) ?? { result: 'permanent', cause, contact: 'none' };
    },
    async close() {
      await Promise.all([slack?.close(), notion?.close(), email?.close()]);
    },
  };
}

/**
 * What of a destination shares a limit: one Slack channel, one Notion connection, one mail server. A mail's recipient
 * is no part of it: an address is nobody's business here.
 */
export function describeLane(destination: DestinationName, target: string): { readonly name: string } {
  return { name: destination === 'slack' ? `slack ${target}` : destination };
}
