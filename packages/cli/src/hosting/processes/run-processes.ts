import cluster from 'node:cluster';

import type { Context } from '../../context.ts';
import { createLog } from '../../create-log.ts';
import type { Settings } from '../../settings/settings.ts';
import { armStopSignal } from '../../stop-signal.ts';
import { useParts } from '../../use-parts.ts';
import { WrongUse } from '../../wrong-use.ts';
import { announceReceiver } from '../announce-receiver.ts';
import { createReload } from '../create-reload.ts';
import { onHangUp } from '../on-hang-up.ts';
import { pickReceiverSettings, STOP_WITHIN_MS } from '../open-receiver.ts';
import { tellWhatTokenOpens } from '../requires-token.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { prepareChildren, startChild } from './start-child.ts';

const KILL_AFTER_MS = 9500;

/**
 * What the first process of `aftermeet receiver --processes` does. It opens no queue: it starts the others, keeps their
 * number, and reads the settings for all of them.
 */
export async function runProcesses(
  context: Context,
  settings: Settings,
  {
    processes,
    json,
    config,
  }: { readonly processes: number; readonly json?: boolean; readonly config?: string },
): Promise<void> {
  if (!cluster.isPrimary) {
    throw new WrongUse(
      '--processes starts processes of its own: leave it out under a process manager that does.\n',
    );
  }
  const log = await createLog(settings.log);
  const stop = armStopSignal(STOP_WITHIN_MS);
  const { environment } = context;
  const reload = createReload({
    environment,
    configPath: config,
    settings,
    replace: (endpoints) => fleet.replace(endpoints),
    log,
  });
  prepareChildren();
  const fleet: Fleet = createFleet({
    count: processes,
    settings: pickReceiverSettings(settings),
    startChild,
    reload,
    log,
    nowMs: Date.now,
    killAfterMs: KILL_AFTER_MS,
  });
  // Whoever asks twice means it for all of them.
  process.on('exit', () => fleet.killAll());
  const forget = onHangUp({ reload: () => void reload(), stop: stop.ask });
  await useParts(context.writeError, async (keep) => {
    keep(fleet);
    const where = await Promise.race([fleet.up, stop.asked]);
    if (where === undefined) return;
    announceReceiver(context, json === true, { settings, ...where, processes });
    tellWhatTokenOpens(log, settings);
    await Promise.race([stop.asked, fleet.lost]);
    log.info({}, 'stopping: all processes answer what they hold');
  });
  forget();
}
