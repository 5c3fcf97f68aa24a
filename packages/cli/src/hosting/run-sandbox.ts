import { createSandbox, createVendorStandIns } from '@aftermeet/sandbox';

import { announce } from '../announce.ts';
import type { Context } from '../context.ts';
import { listenOn } from '../listen-on.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';

interface SandboxCommandOptions {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  readonly json?: boolean;
  readonly config?: string;
}

const STOP_WITHIN_MS = 10_000;

/** What `aftermeet sandbox` does. */
export async function runSandbox(context: Context, options: SandboxCommandOptions): Promise<void> {
  const settings = await loadSettings(context.environment, options.config);
  const { host, port } = options;
  const next = (offset: number): number => (port === 0 ? 0 : port + offset);
  const stop = armStopSignal(STOP_WITHIN_MS);
  await useParts(context.writeError, async (keep) => {
    const sandbox = keep(createSandbox({ apiKey: options.key, headerPrefix: settings.headerPrefix }));
    const { url } = await listenOn((wanted) => sandbox.listen({ host, port: wanted }), port);
    const vendors = keep(
      await createVendorStandIns({
        host,
        ports: { slack: next(1), notion: next(2), mail: next(3), mailPage: next(4) },
      }),
    );
    announce(context, options.json === true, {
      SERVICE_BASE_URL: url,
      SERVICE_API_KEY: options.key,
      SLACK_API_URL: vendors.slack.apiUrl,
      NOTION_BASE_URL: vendors.notion.url,
      NOTION_DATA_SOURCE_ID: vendors.notion.dataSourceId,
      SMTP_URL: vendors.mail.url,
      pages: [`${url}/_sandbox`, vendors.slack.url, vendors.notion.url, vendors.mail.pageUrl].join(' '),
    });
    await stop.wait();
  });
}
