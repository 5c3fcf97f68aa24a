import { createClient } from '@aftermeet/client';
import { openBackend } from '@aftermeet/queue';
import { startWorker } from '@aftermeet/recipes';

import { announce } from '../announce.ts';
import type { Context } from '../context.ts';
import { createLog } from '../create-log.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { workerProblems } from '../settings/require-settings.ts';
import { WORKSPACE } from '../settings/workspace.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';
import { wrongSettings } from '../wrong-use.ts';

/** A mail server may take a minute to answer; what is cut off here is settled by the next worker. */
const STOP_WITHIN_MS = 70_000;

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
  const stop = armStopSignal(STOP_WITHIN_MS);
  await useParts(context.writeError, async (keep) => {
    const backend = keep(await openBackend(settings.queueUrl, { log }));
    keep(
      await startWorker({
        backend,
        // The recipe engine owns the waits between attempts.
        client: createClient({ ...service, retries: 0 }),
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
}
