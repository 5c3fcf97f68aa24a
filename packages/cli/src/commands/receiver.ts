import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { parsePort } from '../parse-port.ts';

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
      const { runReceiver } = await import('../hosting/run-receiver.ts');
      await runReceiver(context, { ...options, ...program.opts<{ config?: string }>() });
    });
}
