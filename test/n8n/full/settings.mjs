import { join } from 'node:path';

/** What a user would set in the node "Settings" of a workflow, all of it on this machine. */
export function describeSettings({ url, vendors, ownUrl }, archive) {
  return {
    base_url: url,
    wait_seconds: 1,
    channel: 'C0PROOF',
    slack_api: vendors.slack.apiUrl.replace(/\/$/, ''),
    notion_api: vendors.notion.url,
    data_source_id: vendors.notion.dataSourceId,
    mail_to: 'ann@example.com, bob@example.com',
    forward_url: ownUrl,
    folder: join(archive, 'exports'),
    template_name: 'sales-meeting',
  };
}
