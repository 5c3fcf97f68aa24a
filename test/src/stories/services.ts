import {
  createSandbox,
  createVendorEmulators,
  type Intercept,
  type VendorEmulators,
} from '@aftermeet/sandbox';

import type { Environment } from './aftermeet-process.ts';

export const SECRET = 'whsec_0123456789abcdef';
const API_KEY = 'sandbox_key';

/** The service and the vendors of a story, in the test's own process. */
export interface Services {
  readonly serviceUrl: string;
  readonly vendors: VendorEmulators;
  /** The settings of a worker that uses them. */
  readonly settings: Environment;
  /** Records and completes a meeting; its delivery goes to the address, if there is one. */
  readonly completeMeeting: (hookUrl?: string, title?: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function startServices(
  intercepts: { readonly slack?: Intercept; readonly notion?: Intercept } = {},
): Promise<Services> {
  const sandbox = createSandbox({ apiKey: API_KEY });
  const { url } = await sandbox.listen({ host: '127.0.0.1', port: 0 });
  const vendors = await createVendorEmulators({
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
    completeMeeting: (hookUrl, title) => completeMeeting(url, API_KEY, hookUrl, title),
    close: async () => {
      await vendors.close();
      await sandbox.close();
    },
  };
}

let meetings = 0;

/** Records and completes a meeting through the API. */
export async function completeMeeting(
  serviceUrl: string,
  apiKey: string,
  hookUrl?: string,
  title = 'Story meeting',
): Promise<string> {
  meetings += 1;
  const recorded = await fetch(`${serviceUrl}/api/record-meeting`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      link: `https://meet.example.com/${process.pid}-${meetings}`,
      title,
      ...(hookUrl === undefined ? {} : { webhook_url: hookUrl, webhook_secret: SECRET }),
    }),
  });
  const { meeting_id: meetingId } = (await recorded.json()) as { meeting_id: string };
  const completed = await fetch(`${serviceUrl}/_sandbox/meetings/${meetingId}/complete`, { method: 'POST' });
  if (!completed.ok) throw new Error(`completing the meeting answered ${completed.status}`);
  return meetingId;
}
