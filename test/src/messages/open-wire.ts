import { createVendorEmulators, type InterceptedCall, type ReceivedMail } from '@aftermeet/sandbox';

import { openDestinations, settlePolicies } from '../../../recipes/src/destinations/index.ts';
import type { Destinations } from '../../../recipes/src/destinations/settings.ts';
import type { RecipeMessage } from './read-messages.ts';

/** What went over the wire for some messages. */
export interface SentMessages {
  readonly slack: readonly InterceptedCall[];
  readonly notion: readonly InterceptedCall[];
  readonly mails: readonly ReceivedMail[];
  /** What was not sent, and why. */
  readonly refused: readonly string[];
}

/** The emulators, and the connectors that the worker uses on the way to them. */
export interface Wire {
  readonly destinations: Destinations;
  /** Sends them in turn, as the worker would; what follows a message goes behind it. */
  ship(messages: readonly RecipeMessage[]): Promise<SentMessages>;
  close(): Promise<void>;
}

/** The members of the workspace other than the bot. */
export const slackUsers = [
  { id: 'U0ANN', name: 'ann', realName: 'Ann Lee', email: 'ann@example.com' },
  { id: 'U0BOB', name: 'bob', realName: 'Bob Stone', email: 'bob@example.com' },
];

const notionCallMs = 500;

/** The emulators share this process: while it computes, they do not answer. */
const patience = { timeoutMs: 10 * 60_000 };

export async function openWire(mail: Partial<Destinations['email']> = {}): Promise<Wire> {
  const slackCalls: InterceptedCall[] = [];
  const notionCalls: InterceptedCall[] = [];
  let nowMs = Date.parse('2026-07-07T12:05:00Z');
  /** Notion takes only so many calls in a minute, and a page may need more: time goes on with each. */
  const noteNotionCall = (call: InterceptedCall): 'pass' => {
    notionCalls.push(call);
    nowMs += notionCallMs;
    return 'pass';
  };
  const vendors = await createVendorEmulators({
    slack: { users: slackUsers, intercept: (call) => (slackCalls.push(call), 'pass') },
    notion: { intercept: noteNotionCall },
  });
  const destinations: Destinations = {
    slack: { token: 'xoxb-test', apiUrl: vendors.slack.apiUrl, channel: 'C0123456789' },
    notion: { token: 'ntn_test', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
    email: {
      smtpUrl: vendors.mail.url,
      from: 'Aftermeet <bot@example.com>',
      to: ['ann@example.com'],
      ...mail,
    },
  };
  const policies = settlePolicies({ slack: patience, notion: patience, email: patience });
  const connectors = openDestinations(destinations, { policies, clock: () => nowMs });
  let sent = 0;
  return {
    destinations,
    async ship(messages) {
      slackCalls.length = 0;
      notionCalls.length = 0;
      vendors.mail.emulator.reset();
      const refused: string[] = [];
      const references = new Map<string, string>();
      for (const { effect, rendered } of messages) {
        sent += 1;
        const { target, part, item = '' } = effect;
        const parent = part === 0 ? undefined : references.get(`${target} ${item}`);
        const preparation = await connectors.prepare(rendered, {
          effectKey: `key-${sent}`,
          target,
          ...(parent === undefined ? {} : { parent }),
        });
        // The message to the fallback channel holds what this person is not told.
        if (preparation.result === 'no_recipient') continue;
        const result = preparation.result === 'ready' ? await preparation.prepared.send() : preparation;
        if (result.result !== 'sent') refused.push(`${target}: ${result.cause}`);
        else if (part === 0) references.set(`${target} ${item}`, result.reference);
      }
      return {
        slack: [...slackCalls],
        notion: [...notionCalls],
        mails: vendors.mail.emulator.received(),
        refused,
      };
    },
    close: async () => {
      await connectors.close();
      await vendors.close();
    },
  };
}
