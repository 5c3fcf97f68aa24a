import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSandbox, createVendorEmulators } from '@aftermeet/sandbox';
import { openTestStore } from '@aftermeet/test/support';
import { afterAll } from 'vitest';

/** A folder, until the tests of the file have ended. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A sandbox that listens until the tests of the file have ended. */
export async function startSandbox(options: Parameters<typeof createSandbox>[0] = {}) {
  const sandbox = createSandbox(options);
  const { url } = await sandbox.listen();
  afterAll(() => sandbox.close());
  return { sandbox, url };
}

/** Slack, Notion and a mail server until the tests of the file have ended, and the settings that lead there. */
export async function startVendors(options: Parameters<typeof createVendorEmulators>[0] = {}) {
  const vendors = await createVendorEmulators(options);
  afterAll(() => vendors.close());
  const environment = {
    SLACK_BOT_TOKEN: 'xoxb-hunter2',
    SLACK_API_URL: vendors.slack.apiUrl,
    SLACK_CHANNEL: 'C0MEETINGS',
    NOTION_TOKEN: 'ntn_hunter2',
    NOTION_BASE_URL: vendors.notion.url,
    NOTION_DATA_SOURCE_ID: vendors.notion.dataSourceId,
    SMTP_URL: vendors.mail.url,
    MAIL_FROM: 'notes@example.com',
  };
  return { ...vendors, environment };
}

/** The address of an empty store, until the tests of the file have ended. */
export async function openStore(kind: Parameters<typeof openTestStore>[0]): Promise<string> {
  const store = await openTestStore(kind);
  afterAll(() => store.dispose());
  return store.queueUrl;
}
