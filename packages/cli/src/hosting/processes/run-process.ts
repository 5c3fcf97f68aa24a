import { describeError } from '@aftermeet/queue';

import type { Context } from '../../context.ts';
import { createLog } from '../../create-log.ts';
import { useParts } from '../../use-parts.ts';
import { WrongUse } from '../../wrong-use.ts';
import { openReceiver } from '../open-receiver.ts';
import { armProcessStop } from './arm-process-stop.ts';
import { openPrimaryChannel } from './primary-channel.ts';
import { PROCESS_MARK } from './process-mark.ts';

/** Shorter than the primary waits before it kills. */
const STOP_WITHIN_MS = 9000;

/**
 * What each process of `aftermeet receiver --processes` does. It is told its settings and reads none: one that
 * takes the place of a dead one must not depend on what is in the file by now.
 */
export async function runProcess({ writeError }: Context): Promise<void> {
  if (!process.connected) {
    throw new WrongUse(`${PROCESS_MARK} marks the processes of --processes and is not for you: unset it.\n`);
  }
  const stop = armProcessStop(STOP_WITHIN_MS);
  const primary = openPrimaryChannel(stop.ask);
  try {
    await useParts(writeError, async (keep) => {
      const start = await Promise.race([primary.started, stop.asked]);
      if (start === undefined) return;
      const log = await createLog(start.settings.log);
      const { reload, listReadings } = primary;
      const parts = { log, endpoints: start.endpoints, reload, listReadings };
      const { url, queue, read } = await openReceiver(start.settings, parts, keep);
      primary.tellUp({ url, queue }, read);
      await stop.asked;
    });
  } catch (error) {
    primary.tellFailed(describeError(error));
    process.exitCode = 1;
  }
  stop.leave();
}
