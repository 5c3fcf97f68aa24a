// Our worker. Every report is there at once; with `isIdle` its destinations do nothing; `isLogged` turns on the log as
// `aftermeet worker` writes it, to stderr.
import { createLog } from '../../../../packages/cli/dist/hosting/log.js';
import { openBackend, silentLog } from '../../../../packages/queue/dist/index.js';
import { listPrebuiltRecipes, startWorker } from '../../../../recipes/dist/index.js';
import { channelOf, destinations, writeReport } from '../samples.mjs';

export async function start(
  { queueUrl, namespace, slackUrl, isIdle, isLogged, channels = 1, ...options },
  tell,
) {
  const log = isLogged ? await createLog({ level: 'info', format: 'json' }) : silentLog;
  const backend = await openBackend(queueUrl, { namespace, log: silentLog });
  const worker = await startWorker({
    backend,
    client: {
      reports: {
        async get(meetingId) {
          tell.onBegin();
          return { ready: true, report: writeReport(meetingId) };
        },
      },
    },
    recipes: options.recipes.map((recipe) =>
      recipe.use === 'slack-recap' && recipe.with.channel === undefined
        ? { ...recipe, definition: overChannels(channels) }
        : recipe,
    ),
    destinations: { ...destinations, slack: { ...destinations.slack, apiUrl: slackUrl } },
    workspace: 'bench',
    policies: options.policies,
    log,
    ...(isIdle ? { connectors: idleConnectors } : {}),
    observe(step) {
      if (step.kind === 'effect_sent') tell.onSent(step.effectKey, step.meetingId);
      if (step.kind === 'effect_waiting') tell.onWait(step.why);
      if (step.kind === 'effect_failed' || step.kind === 'effect_skipped') tell.onFailed(step.cause);
    },
  });
  return {
    async close() {
      await worker.close();
      await backend.close();
    },
  };
}

/** The recap, to so many channels in turn, as the meetings are numbered. */
function overChannels(channels) {
  const recap = listPrebuiltRecipes().find(({ id }) => id === 'slack-recap');
  return {
    ...recap,
    bind: (values, settings) => ({
      ...recap.bind(values, settings),
      plan: ({ meetingId }) => {
        const number = Number(meetingId.slice(meetingId.lastIndexOf('_') + 1));
        return [{ target: channelOf(number % channels), part: 0 }];
      },
    }),
  };
}

/** Destinations that take everything and do nothing. */
const idleConnectors = {
  prepare: () => Promise.resolve({ result: 'ready', prepared: idlePreparedSend }),
  close: () => Promise.resolve(),
};

const idlePreparedSend = {
  timeoutMs: 10_000,
  send: () => Promise.resolve({ result: 'sent', reference: 'C000000000/1795000000.000100' }),
  probe: () => Promise.resolve({ result: 'absent' }),
};
