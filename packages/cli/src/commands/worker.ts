import { createClient } from '@aftermeet/client';
import { openBackend } from '@aftermeet/queue';
import { startWorker } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { announce } from '../announce.ts';
import { type Context, loadSettings } from '../context.ts';
import { createLog } from '../create-log.ts';
import { workerProblems } from '../settings/require-settings.ts';
import { WORKSPACE } from '../settings/workspace.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';
import { wrongSettings } from '../wrong-use.ts';

/** A mail server may take a minute to answer; what is cut off here is settled by the next worker. */
const STOP_WITHIN_MS = 70_000;

/** `aftermeet worker`: carries what arrived to its destinations. Any number of them may share one queue. */
export function addWorkerCommand(program: Command, context: Context): void {
  program
    .command('worker')
    .summary('fetch reports and carry them to Slack, Notion and e-mail')
    .description(
      'Takes stored deliveries, fetches each report from the service and runs the recipes on it.\n\n' +
        'Needs SERVICE_BASE_URL and SERVICE_API_KEY, and at least one destination: SLACK_BOT_TOKEN and ' +
        'SLACK_CHANNEL, NOTION_TOKEN and NOTION_DATA_SOURCE_ID, or SMTP_URL, MAIL_FROM and MAIL_TO.',
    )
    .option('--json', 'print one JSON line once it works')
    .addHelpText('after', '\nExample:\n  QUEUE_URL=redis://127.0.0.1:6379 aftermeet worker')
    .action(async (options: { json?: boolean }) => {
      const settings = await loadSettings(context, program.opts<{ config?: string }>().config);
      const problems = workerProblems(settings);
      if (problems.length > 0 || settings.service === undefined) throw wrongSettings(problems);

      const { service } = settings;
      const log = await createLog(settings.log);
      const stop = armStopSignal(STOP_WITHIN_MS);
      await useParts(async (keep) => {
        const backend = keep(await openBackend(settings.queueUrl, { log }));
        keep(
          await startWorker({
            backend,
            client: createClient(service),
            recipes: settings.recipes,
            endpointRecipes: settings.endpointRecipes,
            destinations: settings.destinations,
            workspace: WORKSPACE,
            log,
          }),
        );
        announce(context, options.json === true, {
          working: settings.recipes.map((recipe) => recipe.name).join(', '),
          queue: backend.name,
        });
        await stop.wait();
        log.info({}, 'stopping: finishing what is under way');
      });
    });
}
