import type { Command } from 'commander';

import type { Context } from '../context.ts';

/** `aftermeet worker`: carries what arrived to its destinations. Any number of them may share one queue. */
export function addWorkerCommand(program: Command, context: Context): void {
  program
    .command('worker')
    .summary('fetch reports and carry them to Slack, Notion and e-mail')
    .description(
      'Takes stored deliveries, fetches each report from the service and runs the recipes on it.\n\n' +
        'Needs SERVICE_BASE_URL and SERVICE_API_KEY, and at least one destination: SLACK_BOT_TOKEN and ' +
        'SLACK_CHANNEL, NOTION_TOKEN and NOTION_DATA_SOURCE_ID, or SMTP_URL and MAIL_FROM. aftermeet doctor ' +
        'asks each of them whether it works.\n\n' +
        'With WORKER_PORT it answers GET /healthz, /readyz and /metrics there.',
    )
    .option('--json', 'print one JSON line once it works')
    .addHelpText('after', '\nExample:\n  QUEUE_URL=redis://127.0.0.1:6379 aftermeet worker')
    .action(async (options: { json?: boolean }) => {
      const { runWorker } = await import('../hosting/run-worker.ts');
      await runWorker(context, { ...options, ...program.opts<{ config?: string }>() });
    });
}
