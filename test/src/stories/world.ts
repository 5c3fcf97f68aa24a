import { createSandbox, createVendorStandIns, type Intercept, type VendorStandIns } from '@aftermeet/sandbox';

import type { Environment } from './aftermeet-process.ts';

export const SECRET = 'whsec_0123456789abcdef';
const API_KEY = 'sandbox_key';

/** The outside world of a story, in the test's own process: the service and the vendors. */
export interface World {
  readonly serviceUrl: string;
  readonly vendors: VendorStandIns;
  /** What a worker needs to know to use this world. */
  readonly settings: Environment;
  /** Records a meeting and lets it end; its delivery goes to the address, where one is given. */
  readonly holdMeeting: (hookUrl?: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function startWorld(
  intercepts: { readonly slack?: Intercept; readonly notion?: Intercept } = {},
): Promise<World> {
  const sandbox = createSandbox({ apiKey: API_KEY });
  const { url } = await sandbox.listen({ host: '127.0.0.1', port: 0 });
  const vendors = await createVendorStandIns({
    ...(intercepts.slack === undefined ? {} : { slack: { intercept: intercepts.slack } }),
    ...(intercepts.notion === undefined ? {} : { notion: { intercept: intercepts.notion } }),
  });
  return {
    serviceUrl: url,
    vendors,
    settings: {
      SERVICE_BASE_URL: url,
      SERVICE_API_KEY: API_KEY,
      SLACK_BOT_TOKEN: 'xoxb-story',
      SLACK_API_URL: vendors.slack.apiUrl,
      SLACK_CHANNEL: 'C0STORY',
      NOTION_TOKEN: 'ntn_story',
      NOTION_BASE_URL: vendors.notion.url,
      NOTION_DATA_SOURCE_ID: vendors.notion.dataSourceId,
      SMTP_URL: vendors.mail.url,
      MAIL_FROM: 'Aftermeet <aftermeet@example.com>',
      MAIL_TO: 'team@example.com',
    },
    holdMeeting: (hookUrl) => holdMeeting(url, API_KEY, hookUrl),
    close: async () => {
      await vendors.close();
      await sandbox.close();
    },
  };
}

let meetings = 0;

/** Records a meeting at a service's address and lets it end, as a caller of the API would. */
export async function holdMeeting(serviceUrl: string, apiKey: string, hookUrl?: string): Promise<string> {
  meetings += 1;
  const recorded = await fetch(`${serviceUrl}/api/record-meeting`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      link: `https://meet.example.com/${process.pid}-${meetings}`,
      title: 'Story meeting',
      ...(hookUrl === undefined ? {} : { webhook_url: hookUrl, webhook_secret: SECRET }),
    }),
  });
  const { meeting_id: meetingId } = (await recorded.json()) as { meeting_id: string };
  const completed = await fetch(`${serviceUrl}/_sandbox/meetings/${meetingId}/complete`, { method: 'POST' });
  if (!completed.ok) throw new Error(`completing the meeting answered ${completed.status}`);
  return meetingId;
}
