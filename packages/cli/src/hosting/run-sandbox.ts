import { createSandbox, createVendorStandIns, type Transitions } from '@aftermeet/sandbox';

import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import { listenOn } from '../listen-on.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';
import { announceSandbox } from './announce-sandbox.ts';
import { readKnobs } from './read-knobs.ts';

export interface SandboxCommandOptions {
  readonly host: string;
  readonly port: number;
  readonly key?: string;
  readonly data?: string;
  readonly transitions: Transitions;
  readonly timeScale?: number;
  readonly seed?: number;
  readonly resign: boolean;
  readonly allowRemote?: boolean;
  readonly allowHost?: readonly string[];
  readonly publicUrl?: string;
  readonly knob?: Readonly<Record<string, unknown>>;
  readonly json?: boolean;
  readonly config?: string;
}

const STOP_WITHIN_MS = 10_000;

/** What `aftermeet sandbox` does. */
export async function runSandbox(context: Context, options: SandboxCommandOptions): Promise<void> {
  const settings = await loadSettings(context.environment, options.config);
  const { host, port, key, data, transitions, timeScale, seed, resign, publicUrl } = options;
  const knobs = readKnobs(options.knob ?? {});
  const next = (offset: number): number => (port === 0 ? 0 : port + offset);
  const portAdvice =
    (port === 0 ? '' : `The sandbox needs ${port} to ${next(4)}: does one run here already? `) +
    'Choose others with --port <number>; 0 takes any free ones.';
  const stop = (context.armStop ?? armStopSignal)(STOP_WITHIN_MS);
  await useParts(context.writeError, async (keep) => {
    const vendors = keep(
      await listenOn(
        (slack) =>
          createVendorStandIns({ host, ports: { slack, notion: next(2), mail: next(3), mailPage: next(4) } }),
        next(1),
        portAdvice,
      ),
    );
    const sandbox = keep(
      createSandbox({
        headerPrefix: settings.headerPrefix,
        transitions,
        resign,
        knobs,
        allowRemoteReceivers: options.allowRemote === true,
        allowedHosts: options.allowHost ?? [],
        links: [
          { label: 'Slack', url: vendors.slack.url },
          { label: 'Notion', url: vendors.notion.url },
          { label: 'Mail', url: vendors.mail.pageUrl },
        ],
        ...dropAbsent({ apiKey: key, data, timeScale, seed, publicUrl }),
      }),
    );
    const { url } = await listenOn((wanted) => sandbox.listen({ host, port: wanted }), port, portAdvice);
    announceSandbox(context, options.json === true, {
      url,
      key: sandbox.key(),
      slack: { apiUrl: vendors.slack.apiUrl, pageUrl: vendors.slack.url },
      notion: { url: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
      mail: { url: vendors.mail.url, pageUrl: vendors.mail.pageUrl },
    });
    await stop.wait();
  });
}
