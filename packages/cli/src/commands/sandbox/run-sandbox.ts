import { isIP } from 'node:net';

import {
  createSandbox,
  createVendorEmulators,
  readServiceOptions,
  type Transitions,
} from '@aftermeet/sandbox';

import { announce, type Context } from '../../context.ts';
import { WrongUse } from '../../errors.ts';
import { listenOn, DEFAULT_PORTS, withResources } from '../../hosting/resources.ts';
import { armStopSignal, ignoreHangUp } from '../../hosting/stop-signal.ts';
import { omitUndefined } from '../../options.ts';
import { readHeaderPrefix } from '../../settings/service.ts';

export interface SandboxCommandOptions {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  readonly transitions: Transitions;
  readonly seed?: number;
  readonly allowRemote?: boolean;
  readonly allowHost?: readonly string[];
  readonly publicUrl?: string;
  readonly option?: Readonly<Record<string, unknown>>;
  readonly json?: boolean;
}

const STOP_WITHIN_MS = 10_000;

/** Runs a sandbox and the emulators beside it until the process is stopped. */
export async function runSandbox(context: Context, options: SandboxCommandOptions): Promise<void> {
  const headerPrefix = readHeaderPrefix(context.environment);
  const { host, port, key, transitions, seed, publicUrl } = options;
  // A name that it is told to listen on is one that it is reached by.
  const allowedHosts = [...(options.allowHost ?? []), ...(isIP(host) === 0 ? [host] : [])];
  const read = readServiceOptions(options.option ?? {});
  if ('refusal' in read) throw new WrongUse(`--option can't be used: ${read.refusal}\n`);
  const next = (offset: number): number => (port === 0 ? 0 : port + offset);
  const portAdvice =
    (port === 0 ? '' : `The sandbox needs ${port} to ${next(4)}: does one run here already? `) +
    'Choose others with --port <number>; 0 takes any free ones.';
  const stop = (context.armStop ?? armStopSignal)(STOP_WITHIN_MS);
  await withResources(context.writeError, async (defer) => {
    defer(ignoreHangUp((text) => context.writeError(`${text}\n`), stop));
    const vendors = defer(
      await listenOn(
        (slack) =>
          createVendorEmulators({
            host,
            allowedHosts,
            ports: { slack, notion: next(2), mail: next(3), mailControl: next(4) },
          }),
        next(1),
        portAdvice,
      ),
    );
    const sandbox = defer(
      createSandbox({
        apiKey: key,
        headerPrefix,
        transitions,
        options: options.option ?? {},
        allowRemoteReceivers: options.allowRemote === true,
        allowedHosts,
        links: [
          { label: 'Slack', url: vendors.slack.url },
          { label: 'Notion', url: vendors.notion.url },
          { label: 'Mail', url: vendors.mail.controlUrl },
        ],
        ...omitUndefined({ seed, publicUrl }),
      }),
    );
    const { url } = await listenOn((wanted) => sandbox.listen({ host, port: wanted }), port, portAdvice);
    announceSandbox(context, options.json === true, {
      url,
      key: sandbox.key(),
      slack: { apiUrl: vendors.slack.apiUrl, url: vendors.slack.url },
      notion: { url: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
      mail: { url: vendors.mail.url, controlUrl: vendors.mail.controlUrl },
    });
    await stop.wait();
  });
}

interface SandboxAddresses {
  readonly url: string;
  readonly key: string;
  readonly slack: { readonly apiUrl: string; readonly url: string };
  readonly notion: { readonly url: string; readonly dataSourceId: string };
  readonly mail: { readonly url: string; readonly controlUrl: string };
}

/** Prints the settings for the commands and the worker, where to look, and what to do next. */
function announceSandbox(context: Context, asJson: boolean, addresses: SandboxAddresses): void {
  const { url, key, slack, notion, mail } = addresses;
  const page = `${url}/_sandbox`;
  const facts = {
    SERVICE_BASE_URL: url,
    SERVICE_API_KEY: key,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: 'xoxb-sandbox',
    SLACK_CHANNEL: 'C0MEETINGS',
    NOTION_BASE_URL: notion.url,
    NOTION_TOKEN: 'ntn_sandbox',
    NOTION_DATA_SOURCE_ID: notion.dataSourceId,
    SMTP_URL: mail.url,
    MAIL_FROM: 'meetings@example.com',
  };
  if (asJson) {
    announce(context, true, { ...facts, pages: [page, slack.url, notion.url, mail.controlUrl].join(' ') });
    return;
  }
  const isUsual = url === `http://127.0.0.1:${DEFAULT_PORTS.sandbox}`;
  const where = isUsual ? '' : ` --url ${url}`;
  // As they go into .env.
  const lines = Object.entries(facts).map(([name, value]) => `${name}=${value}\n`);
  context.write(`${lines.join('')}\n`);
  announce(context, false, {
    'page of the sandbox': page,
    'arrived at Slack': slack.url,
    'arrived at Notion': notion.url,
    'arrived as mail': mail.controlUrl,
  });
  context.write(`\nReady; Ctrl-C ends it. Try next, in another terminal: aftermeet sandbox seed${where}\n`);
}
