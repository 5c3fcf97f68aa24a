import { createInbox, openBackend } from '@aftermeet/queue';
import { createReceiver } from '@aftermeet/receiver';

import { announce } from '../announce.ts';
import type { Context } from '../context.ts';
import { createLog } from '../create-log.ts';
import { listenOn } from '../listen-on.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { receiverProblems } from '../settings/require-settings.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';
import { wrongSettings } from '../wrong-use.ts';

interface ReceiverCommandOptions {
  readonly host?: string;
  readonly port?: number;
  readonly json?: boolean;
  readonly config?: string;
}

/** Longer than the receiver takes to answer what it holds. */
const STOP_WITHIN_MS = 10_000;

/** What `aftermeet receiver` does. */
export async function runReceiver(context: Context, options: ReceiverCommandOptions): Promise<void> {
  const settings = await loadSettings(context.environment, options.config);
  const problems = receiverProblems(settings);
  if (problems.length > 0) throw wrongSettings(problems);

  const log = await createLog(settings.log);
  const stop = armStopSignal(STOP_WITHIN_MS);
  await useParts(context.writeError, async (keep) => {
    const backend = keep(await openBackend(settings.queueUrl, { log }));
    const inbox = keep(await createInbox(backend, { log }));
    const receiver = keep(
      createReceiver({
        endpoints: settings.endpoints,
        inbox,
        log,
        toleranceSeconds: settings.toleranceSeconds,
        headerPrefix: settings.headerPrefix,
        ...(settings.adminToken === undefined ? {} : { adminToken: settings.adminToken }),
      }),
    );
    const { url } = await listenOn(
      (port) => receiver.listen({ host: options.host ?? settings.host, port }),
      options.port ?? settings.port,
    );
    announce(context, options.json === true, {
      url,
      // What to give the service as webhook_url.
      hooks: [...settings.endpoints.byName.keys()]
        .map((name) => `${settings.publicUrl ?? url}/hooks/${name}`)
        .join(' '),
      queue: backend.name,
    });
    await stop.wait();
    log.info({}, 'stopping: answering what is held');
  });
}
