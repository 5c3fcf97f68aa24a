// What a play has at hand: the world, the meetings, and ways to make n8n do something and to see what came of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { announce, waitForAnswers } from './announce.mjs';
import { findAddress } from './read-workflows.mjs';

/** `workflows` by their names. `played` collects the names of those that were made to do something. */
export function openStage({ world, n8n, api, workflows, played, more }) {
  const find = (name) => {
    const workflow = workflows.get(name);
    if (workflow === undefined) throw new Error(`there is no workflow ${name}`);
    played.add(name);
    return workflow;
  };

  let kept;

  /** Does something that starts a run of a workflow; answers what came of both. */
  async function watch(name, act) {
    const { id } = find(name);
    const before = (await api.list(id)).length;
    const answer = await act();
    const execution = await api.waitForRun(id, before);
    keepRun(name, execution);
    return { answer, execution };
  }

  return {
    world,
    n8n,
    api,
    ...more,
    slack: world.slack,
    notion: world.notion,
    mails: world.mails,
    addressOf: (name) => n8n.url + findAddress(find(name)),
    countRuns: (name) => api.count(find(name).id),
    watch,
    /** The first run since then that is as wanted, for what starts by itself; the workflow is not published any more after that. */
    findRun: async (name, since, isWanted) => {
      const { id } = find(name);
      const run = await findRun(api, id, since, isWanted);
      await api.unpublish(id);
      return run;
    },
    waitForMemory: (name) => waitForMemory(api, find(name).id),
    readMemory: (name) => api.readMemory(find(name).id),
    listRuns: (name) => api.list(find(name).id),
    /** A meeting that the sandbox itself tells of; waits for the run that it starts. */
    announce: async (name, options) =>
      await watch(name, () => announce(world, n8n.url + findAddress(find(name)), options)),
    /** Lets the sandbox send a delivery once more; answers what all of its attempts were answered. */
    redeliver: async (deliveryId) => {
      const made = world.sandbox.deliveries().find(({ id }) => id === deliveryId).attempts.length;
      world.sandbox.redeliver(deliveryId);
      return await waitForAnswers(world.sandbox, deliveryId, made + 1);
    },
    /** Between plays: one thing. */
    remember: (value) => {
      kept = value;
    },
    remembered: () => kept,
    /** The same where no run is to start. */
    announceInVain: async (name, options) => {
      const { id } = find(name);
      const before = await api.count(id);
      const answer = await announce(world, n8n.url + findAddress(find(name)), options);
      return { answer, runs: (await api.count(id)) - before };
    },
  };
}

async function waitForMemory(api, workflowId) {
  const deadline = Date.now() + 100_000;
  while (Date.now() < deadline) {
    const memory = await api.readMemory(workflowId);
    if (memory !== null && Object.keys(memory).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${workflowId}: its nodes kept nothing within 100 seconds`);
}

async function findRun(api, workflowId, since, isWanted) {
  const seen = new Set(since.map(({ id }) => id));
  const deadline = Date.now() + 100_000;
  while (Date.now() < deadline) {
    const ended = (await api.list(workflowId)).filter(({ id, stoppedAt }) => stoppedAt && !seen.has(id));
    for (const { id } of ended) {
      seen.add(id);
      const run = await api.readRun(id);
      if (isWanted(run)) return run;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${workflowId}: no such run within 100 seconds`);
}

/** What a node of a run handed on through one of its outputs. */
export function readItems(execution, node, output = 0) {
  const run = execution.data.resultData.runData[node]?.at(-1);
  return (run?.data?.main?.[output] ?? []).map(({ json }) => json);
}

/** With N8N_PROOF_LOG, a folder, everything that n8n says of a run is kept there. */
export function keepRun(name, execution) {
  const kept = process.env.N8N_PROOF_LOG;
  if (kept === undefined) return;
  writeFileSync(
    join(kept, `${execution.id ?? 'command'}-${name}.json`),
    JSON.stringify(execution, undefined, 1),
  );
}
