import { createVendorStandIns, type InterceptedRequest, type ReceivedMail } from '@aftermeet/sandbox';

import type { Destinations } from '../../../recipes/src/destinations.ts';
import { openCarriers } from '../../../recipes/src/open-carriers.ts';
import { settlePolicies } from '../../../recipes/src/pace/policy.ts';
import type { RecipeMessage } from './read-messages.ts';

/** What went over the wire for some messages. */
export interface Shipped {
  readonly slack: readonly InterceptedRequest[];
  readonly notion: readonly InterceptedRequest[];
  readonly mails: readonly ReceivedMail[];
  /** What was not sent, and why. */
  readonly refused: readonly string[];
}

/** The stand-ins, and the carriers that the worker uses on the way to them. */
export interface Wire {
  readonly destinations: Destinations;
  /** Sends them in turn, as the worker would; what follows a message goes behind it. */
  ship(messages: readonly RecipeMessage[]): Promise<Shipped>;
  close(): Promise<void>;
}

/** Who is in the workspace beside whoever posts. */
export const slackUsers = [
  { id: 'U0ANN', name: 'ann', realName: 'Ann Lee', email: 'ann@example.com' },
  { id: 'U0BOB', name: 'bob', realName: 'Bob Stone', email: 'bob@example.com' },
];

const notionCallMs = 500;

/** The stand-ins share this process: while it computes, they do not answer. */
const patience = { timeoutMs: 10 * 60_000 };

export async function openWire(mail: Partial<Destinations['mail']> = {}): Promise<Wire> {
  const slackCalls: InterceptedRequest[] = [];
  const notionCalls: InterceptedRequest[] = [];
  let nowMs = Date.parse('2026-07-07T12:05:00Z');
  /** Notion takes only so many calls in a minute, and a page may need more: time goes on with each. */
  const noteNotionCall = (call: InterceptedRequest): 'pass' => {
    notionCalls.push(call);
    nowMs += notionCallMs;
    return 'pass';
  };
  const vendors = await createVendorStandIns({
    slack: { users: slackUsers, intercept: (call) => (slackCalls.push(call), 'pass') },
    notion: { intercept: noteNotionCall },
  });
  const destinations: Destinations = {
    slack: { token: 'xoxb-test', apiUrl: vendors.slack.apiUrl, channel: 'C0123456789' },
    notion: { token: 'ntn_test', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
    mail: {
      smtpUrl: vendors.mail.url,
      from: 'Aftermeet <bot@example.com>',
      to: ['ann@example.com'],
      ...mail,
    },
  };
  const policies = settlePolicies({ slack: patience, notion: patience, email: patience });
  const carriers = openCarriers(destinations, { policies, clock: () => nowMs });
  let sent = 0;
  return {
    destinations,
    async ship(messages) {
      slackCalls.length = 0;
      notionCalls.length = 0;
      vendors.mail.standIn.reset();
      const refused: string[] = [];
      const references = new Map<string, string>();
      for (const { effect, rendered } of messages) {
        sent += 1;
        const { target, part, item = '' } = effect;
        const parent = part === 0 ? undefined : references.get(`${target} ${item}`);
        const preparation = await carriers.prepare(rendered, {
          effectKey: `key-${sent}`,
          target,
          ...(parent === undefined ? {} : { parent }),
        });
        const result = preparation.result === 'ready' ? await preparation.shipment.send() : preparation;
        if (result.result !== 'sent') refused.push(`${target}: ${result.cause}`);
        else if (part === 0) references.set(`${target} ${item}`, result.reference);
      }
      return {
        slack: [...slackCalls],
        notion: [...notionCalls],
        mails: vendors.mail.standIn.received(),
        refused,
      };
    },
    close: async () => {
      await carriers.close();
      await vendors.close();
    },
  };
}
