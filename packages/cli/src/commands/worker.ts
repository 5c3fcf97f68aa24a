import type { Command } from 'commander';

import { announce, type CommandContext } from '../context.ts';
import { wrongSettings } from '../errors.ts';
import { createLog, logFailure, logWarnings } from '../hosting/log.ts';
import { withResources } from '../hosting/resources.ts';
import { armStopSignal, ignoreHangUp } from '../hosting/stop-signal.ts';
import { openWorkerStatus } from '../hosting/worker-status.ts';
import { omitUndefined } from '../options.ts';
import { WORKSPACE } from '../settings/settings.ts';

/** Time to record the outcome of the last call. */
const RECORD_MS = 10_000;

/** `aftermeet worker`: sends the effects of stored deliveries. Any number of workers may share a queue. */
export function addWorkerCommand(program: Command, context: CommandContext): void {
  program
    .command('worker')
    .summary('fetch reports and send them to Slack, Notion and e-mail')
    .description(
      'Takes stored deliveries, fetches each report from the service and runs the recipes on it.\n\n' +
        'Needs SERVICE_BASE_URL and SERVICE_API_KEY, and at least one recipe in aftermeet.yaml or one destination: ' +
        'SLACK_BOT_TOKEN, NOTION_TOKEN, or SMTP_URL and MAIL_FROM. SLACK_CHANNEL and NOTION_DATA_SOURCE_ID are for recipes that name ' +
        'no channel or data source. aftermeet doctor checks that they work.\n\n' +
        'With WORKER_PORT it answers GET /healthz, /readyz and /metrics on that port. Changed settings need a restart: ' +
        'SIGHUP is logged and ignored.',
    )
    .option('--json', 'print one JSON line once it is ready')
    .addHelpText('after', '\nExample:\n  QUEUE_URL=redis://127.0.0.1:6379 aftermeet worker')
    .action((options: { json?: boolean }) => runWorker(context, options));
}

async function runWorker(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const { loadSettings, workerProblems } = await import('../settings/load.ts');
  const { createClient } = await import('@aftermeet/client');
  const { keepAliveFetch } = await import('@aftermeet/client/node');
  const { openBackend } = await import('@aftermeet/queue');
  const recipes = await import('@aftermeet/recipes');
  const { logClearText } = await import('../settings/clear-text.ts');

  const settings = await loadSettings(context.environment, context.configPath(), workerProblems);
  const { service, workerPort, reconcile } = settings;
  if (service === undefined) throw wrongSettings(workerProblems(settings));

  const log = await createLog(settings.log);
  logWarnings(log);
  // What is cut off has to be settled by another worker.
  const maxCallMs = recipes.findMaxCallMs(
    recipes.settlePolicies(settings.policies, settings.destinations),
    settings.destinations,
  );
  const stop = (context.armStop ?? armStopSignal)(maxCallMs + RECORD_MS);
  const run = withResources(context.writeError, async (defer) => {
    defer(ignoreHangUp((text) => log.warn({}, text), stop));
    const backend = defer(await openBackend(settings.queueUrl, { log }));
    // The engine itself waits between attempts.
    const client = createClient({ ...service, retries: 0, fetch: keepAliveFetch });
    const worker = defer(
      await recipes.startWorker({
        backend,
        client,
        service: client,
        recipes: settings.recipes,
        endpointRecipes: settings.endpointRecipes,
        destinations: settings.destinations,
        policies: settings.policies,
        publicUrl: settings.publicUrl,
        // A search makes many requests, and the engine repeats none of them.
        reconcile:
          reconcile?.everyMs === undefined
            ? undefined
            : {
                ...reconcile,
                everyMs: reconcile.everyMs,
                endpoints: [...settings.endpoints.byName.keys()],
                client: createClient({ ...service, fetch: keepAliveFetch }),
              },
        workspace: WORKSPACE,
        log,
      }),
    );
    const { slack } = settings.destinations;
    if (slack?.appToken !== undefined) {
      const { openSlackSocket } = await import('../hosting/slack-socket.ts');
      const { createSlackAnswer } = await import('../hosting/slack-approvals.ts');
      const answer = createSlackAnswer(settings, { backend, log }, defer);
      defer(openSlackSocket({ ...slack, appToken: slack.appToken }, { answer, log }));
    }
    const status =
      workerPort === undefined
        ? undefined
        : defer(await openWorkerStatus({ ...settings, workerPort }, worker, log));
    announce(context, json === true, {
      working: settings.recipes.map((recipe) => recipe.name).join(', '),
      queue: backend.name,
      ...omitUndefined({ status: status?.url }),
    });
    logClearText(log, settings);
    await stop.wait();
    log.info({}, 'stopping: finishing running effects');
  });
  await logFailure(log, run);
}
