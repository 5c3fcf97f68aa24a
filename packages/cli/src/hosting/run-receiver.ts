import { createEndpointBox } from '@aftermeet/receiver';

import type { Context } from '../context.ts';
import { createLog } from '../create-log.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { receiverProblems } from '../settings/require-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';
import { wrongSettings } from '../wrong-use.ts';
import { announceReceiver } from './announce-receiver.ts';
import { createReload } from './create-reload.ts';
import { onHangUp } from './on-hang-up.ts';
import { openReceiver, pickReceiverSettings, STOP_WITHIN_MS } from './open-receiver.ts';
import { tellWhatTokenOpens } from './requires-token.ts';

interface ReceiverCommandOptions {
  readonly host?: string;
  readonly port?: number;
  readonly processes?: number;
  readonly json?: boolean;
  readonly config?: string;
}

/** What `aftermeet receiver` does. */
export async function runReceiver(context: Context, options: ReceiverCommandOptions): Promise<void> {
  const read = await loadSettings(context.environment, options.config);
  const problems = receiverProblems(read);
  if (problems.length > 0) throw wrongSettings(problems);
  const settings = { ...read, host: options.host ?? read.host, port: options.port ?? read.port };
  const { processes = 1 } = options;
  if (processes === 1) return runAlone(context, settings, options);
  const { runProcesses } = await import('./processes/run-processes.ts');
  return runProcesses(context, settings, { ...options, processes });
}

async function runAlone(
  context: Context,
  settings: Settings,
  { json, config }: ReceiverCommandOptions,
): Promise<void> {
  const log = await createLog(settings.log);
  const stop = armStopSignal(STOP_WITHIN_MS);
  const box = createEndpointBox(settings.endpoints);
  const { environment } = context;
  const reload = createReload({
    environment,
    configPath: config,
    settings,
    replace: (endpoints) => box.replace(endpoints),
    log,
  });
  const forget = onHangUp({ reload: () => void reload(), stop: stop.ask });
  await useParts(context.writeError, async (keep) => {
    const parts = { log, endpoints: box.endpoints, reload };
    const { url, queue } = await openReceiver(pickReceiverSettings(settings), parts, keep);
    announceReceiver(context, json === true, { settings, url, queue });
    tellWhatTokenOpens(log, settings);
    await stop.wait();
    log.info({}, 'stopping: answering what is held');
  });
  forget();
}
