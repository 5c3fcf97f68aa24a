import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { PROCESS_MARK } from '../hosting/processes/process-mark.ts';
import { parsePort } from '../parse-port.ts';
import { parseWhole } from '../parse-whole.ts';

const MOST_PROCESSES = 64;

/** `aftermeet receiver`: the hosted endpoint. Any number of them may share one queue. */
export function addReceiverCommand(program: Command, context: Context): void {
  program
    .command('receiver')
    .summary('receive deliveries: verify, store, answer 200')
    .description(
      'Receives deliveries at POST /hooks/<endpoint>, verifies each, stores it in the queue, and only then ' +
        'answers 200. GET /healthz says that the process lives, GET /readyz that the queue can be reached, ' +
        'GET /metrics counts what arrived.\n\n' +
        'Needs WEBHOOK_SECRET (or endpoints in aftermeet.yaml). QUEUE_URL says where deliveries are kept. ' +
        'SIGHUP or POST /api/reload reads the endpoints of aftermeet.yaml anew, without a restart.',
    )
    .option('--host <address>', 'address to listen on (default: HOST or 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: PORT or 8080)', parsePort)
    .option(
      '--processes <number>',
      `processes that share the address and the work, 1 to ${MOST_PROCESSES} (default: 1)`,
      parseWhole('a number', 1, MOST_PROCESSES),
    )
    .option('--json', 'print the address as JSON once it listens')
    .addHelpText(
      'after',
      '\nExamples:\n  WEBHOOK_SECRET=$(openssl rand -hex 32) aftermeet receiver --port 8080\n' +
        '  aftermeet receiver --processes 4 --config aftermeet.yaml',
    )
    .action(async (options: { host?: string; port?: number; processes?: number; json?: boolean }) => {
      // Told everything by the first one, so it does without the settings and all that they bring with them.
      if (context.environment[PROCESS_MARK] === 'yes') {
        const { runProcess } = await import('../hosting/processes/run-process.ts');
        await runProcess(context);
        return;
      }
      const { runReceiver } = await import('../hosting/run-receiver.ts');
      await runReceiver(context, { ...options, ...program.opts<{ config?: string }>() });
    });
}
