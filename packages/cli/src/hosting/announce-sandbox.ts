import { announce } from '../announce.ts';
import type { Context } from '../context.ts';
import { usualPorts } from '../dev/ports.ts';

/** Where a sandbox and the stand-ins beside it listen. */
export interface SandboxAddresses {
  readonly url: string;
  /** Undefined where only its hash is kept. */
  readonly key: string | undefined;
  readonly slack: { readonly apiUrl: string; readonly pageUrl: string };
  readonly notion: { readonly url: string; readonly dataSourceId: string };
  readonly mail: { readonly url: string; readonly pageUrl: string };
}

/** Says that the sandbox is up: settings for the commands and the worker, pages for people, and what comes next. */
export function announceSandbox(context: Context, asJson: boolean, addresses: SandboxAddresses): void {
  const { url, key, slack, notion, mail } = addresses;
  const page = `${url}/_sandbox`;
  const facts = {
    SERVICE_BASE_URL: url,
    SERVICE_API_KEY: key ?? '',
    SLACK_API_URL: slack.apiUrl,
    NOTION_BASE_URL: notion.url,
    NOTION_DATA_SOURCE_ID: notion.dataSourceId,
    SMTP_URL: mail.url,
  };
  if (asJson) {
    announce(context, true, { ...facts, pages: [page, slack.pageUrl, notion.url, mail.pageUrl].join(' ') });
    return;
  }
  const isUsual = url === `http://127.0.0.1:${usualPorts.sandbox}`;
  const where = isUsual ? '' : ` --url ${url}`;
  announce(context, false, {
    ...facts,
    SERVICE_API_KEY:
      key ?? `(kept: the one of the last aftermeet sandbox key; make another: aftermeet sandbox key${where})`,
    'page of the sandbox': page,
    'page of Slack': slack.pageUrl,
    'page of Notion': notion.url,
    'page of the mail': mail.pageUrl,
  });
  context.write(`\nReady; Ctrl-C ends it. Try next, in another terminal: aftermeet sandbox seed${where}\n`);
}
