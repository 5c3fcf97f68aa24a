import { createClient } from '@aftermeet/client';
import { openBackend } from '@aftermeet/queue';
import { startWorker } from '@aftermeet/recipes';

import { announce } from '../announce.ts';
import type { Context } from '../context.ts';
import { createLog } from '../create-log.ts';
import { dropAbsent } from '../drop-absent.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { workerProblems } from '../settings/require-settings.ts';
import { WORKSPACE } from '../settings/workspace.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';
import { wrongSettings } from '../wrong-use.ts';
import { findStopMs } from './find-stop-ms.ts';
import { openWorkerStatus } from './worker-status.ts';

/** What `aftermeet worker` does. */
export async function runWorker(
  context: Context,
  options: { readonly json?: boolean; readonly config?: string },
): Promise<void> {
  const settings = await loadSettings(context.environment, options.config);
  const problems = workerProblems(settings);
  if (problems.length > 0 || settings.service === undefined) throw wrongSettings(problems);

  const { service } = settings;
  const log = await createLog(settings.log);
  const stop = armStopSignal(findStopMs(settings.policies));
  await useParts(context.writeError, async (keep) => {
    const backend = keep(await openBackend(settings.queueUrl, { log }));
    const { workerPort, reconcile } = settings;
    // The recipe engine owns the waits between attempts.
    const client = createClient({ ...service, retries: 0 });
    const worker = keep(
      await startWorker({
        backend,
        client,
        service: client,
        recipes: settings.recipes,
        endpointRecipes: settings.endpointRecipes,
        destinations: settings.destinations,
        policies: settings.policies,
        // A search is many questions, and nothing repeats one of them.
        ...dropAbsent({ reconcile: reconcile && { ...reconcile, client: createClient(service) } }),
        workspace: WORKSPACE,
        log,
      }),
    );
    const status =
      workerPort === undefined
        ? undefined
        : keep(await openWorkerStatus({ ...settings, workerPort }, worker, log));
    announce(context, options.json === true, {
      working: settings.recipes.map((recipe) => recipe.name).join(', '),
      queue: backend.name,
      ...dropAbsent({ status: status?.url }),
    });
    await stop.wait();
    log.info({}, 'stopping: finishing what is under way');
  });
}
