import { createInbox, openBackend } from '@aftermeet/queue';
import { createReceiver } from '@aftermeet/receiver';
import type { Command } from 'commander';

import { announce } from '../announce.ts';
import { type Context, loadSettings } from '../context.ts';
import { createLog } from '../create-log.ts';
import { listenOn } from '../listen-on.ts';
import { parsePort } from '../parse-port.ts';
import { receiverProblems } from '../settings/require-settings.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';
import { wrongSettings } from '../wrong-use.ts';

/** Longer than the receiver takes to answer what it holds. */
const STOP_WITHIN_MS = 10_000;

/** `aftermeet receiver`: the hosted endpoint. Any number of them may share one queue. */
export function addReceiverCommand(program: Command, context: Context): void {
  program
    .command('receiver')
    .summary('receive deliveries: verify, store, answer 200')
    .description(
      'Receives deliveries at POST /hooks/<endpoint>, verifies each, stores it in the queue, and only then ' +
        'answers 200. GET /healthz says that the process lives, GET /readyz that the queue can be reached.\n\n' +
        'Needs WEBHOOK_SECRET (or endpoints in aftermeet.yaml). QUEUE_URL says where deliveries are kept.',
    )
    .option('--host <address>', 'address to listen on (default: HOST or 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: PORT or 8080)', parsePort)
    .option('--json', 'print the address as JSON once it listens')
    .addHelpText(
      'after',
      '\nExample:\n  WEBHOOK_SECRET=$(openssl rand -hex 32) aftermeet receiver --port 8080',
    )
    .action(async (options: { host?: string; port?: number; json?: boolean }) => {
      const settings = await loadSettings(context, program.opts<{ config?: string }>().config);
      const problems = receiverProblems(settings);
      if (problems.length > 0) throw wrongSettings(problems);

      const log = await createLog(settings.log);
      const stop = armStopSignal(STOP_WITHIN_MS);
      await useParts(async (keep) => {
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
    });
}
