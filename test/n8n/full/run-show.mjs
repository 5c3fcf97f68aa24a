// The order of the plays: by command, in the server, and in a server that was started again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { listCredentials } from './credentials.mjs';
import { decideOnTuesday } from './decide-on-tuesday.mjs';
import { openApi } from './open-api.mjs';
import { keepRun, openStage } from './open-stage.mjs';
import { commandPlays } from './plays/command-plays.mjs';
import { editorPlays } from './plays/editor-plays.mjs';
import { nodePlays, preparations } from './plays/node-plays.mjs';
import { restartPlays } from './plays/restart-plays.mjs';
import { triggerPlays } from './plays/trigger-plays.mjs';
import { listProbes } from './probes.mjs';
import { findAddress, readWorkflows } from './read-workflows.mjs';
import { waitForAddress } from './send-delivery.mjs';

/** `folder` is the n8n's own, `archive` the one that its workflows may write to. */
export async function runShow({ world, n8n, folder, archive, report }) {
  world.sandbox.seed({ meetings: 6, languages: ['en'], days: 1 });
  // What a user would set in the node "Settings" of a workflow, all of it on this machine.
  const recipes = readWorkflows({
    data_source_id: world.vendors.notion.dataSourceId,
    mail_to: 'ann@example.com, bob@example.com',
  });
  for (const [name, prepare] of Object.entries(preparations)) {
    if (recipes.has(name)) prepare(recipes.get(name), { world, archive });
  }
  const workflows = new Map([...recipes, ...listProbes()]);
  const credentials = listCredentials(world);
  await importAll(n8n, folder, { credentials, workflows: [...workflows.values()] });
  const played = new Set();
  const lastTuesday = await decideOnTuesday(world);
  const more = { lastTuesday, archive, folder, credentials };
  const playThrough = async (kind, plays, stage) => {
    for (const { name, play } of plays) {
      world.reset();
      await report.play(kind, name, () => play(stage));
    }
  };

  const { slack, notion, mails } = world;
  const byCommand = {
    world,
    n8n,
    ...more,
    slack,
    notion,
    mails,
    execute: (name) => execute(n8n, workflows, played, name),
  };
  await playThrough('command', commandPlays, byCommand);

  await n8n.start();
  const api = await openApi(n8n.url);
  const published = [...workflows.values()].filter(hasTrigger);
  for (const { id } of published) await api.publish(id);
  const addresses = published.map(findAddress).filter((address) => address !== undefined);
  await Promise.all(addresses.map((address) => waitForAddress(n8n.url + address)));
  const stage = openStage({ world, n8n, api, workflows, played, more });
  await playThrough('shipped workflow', nodePlays, stage);
  await playThrough('trigger case', triggerPlays, stage);
  await playThrough('REST check', editorPlays, stage);

  await n8n.stop();
  await n8n.start({ N8N_EXPRESSION_ENGINE: 'legacy' });
  await Promise.all(addresses.map((address) => waitForAddress(n8n.url + address)));
  await playThrough('trigger case after a restart, with the older expression engine', restartPlays, stage);

  await report.play('workflow', `all ${recipes.size} of them were made to do something`, () => {
    const missing = [...recipes.keys()].filter((name) => !played.has(name));
    if (missing.length > 0) throw new Error(`nobody plays ${missing.join(', ')}`);
  });
}

async function importAll(n8n, folder, { credentials, workflows }) {
  const missing = workflows.flatMap(({ name, nodes }) =>
    nodes
      .flatMap((node) => Object.entries(node.credentials ?? {}))
      .filter(([type, used]) => !credentials.some((one) => one.type === type && one.name === used.name))
      .map(([type, used]) => `${name}: ${used.name} (${type})`),
  );
  if (missing.length > 0) throw new Error(`no such credentials: ${missing.join(', ')}`);
  const paths = { credentials: join(folder, 'credentials.json'), workflows: join(folder, 'workflows.json') };
  writeFileSync(paths.credentials, JSON.stringify(credentials));
  writeFileSync(paths.workflows, JSON.stringify(workflows));
  await n8n.run('import:credentials', `--input=${paths.credentials}`);
  await n8n.run('import:workflow', `--input=${paths.workflows}`);
}

/**
 * Runs a workflow by command; answers its run, and the most memory that it took, in MiB. The exit code is not looked at: n8n
 * sometimes crashes (SIGSEGV) once everything is done and printed.
 */
async function execute(n8n, workflows, played, name) {
  const workflow = workflows.get(name);
  if (workflow === undefined) throw new Error(`there is no workflow ${name}`);
  played.add(name);
  const { status, text, peakMib } = await n8n.attempt('execute', `--id=${workflow.id}`, '--rawOutput');
  const lines = text.split('\n');
  const start = lines.indexOf('{');
  const end = lines.lastIndexOf('}');
  if (start === -1 || end < start) throw new Error(`n8n execute ended with ${status}: ${text.slice(-2000)}`);
  const execution = JSON.parse(lines.slice(start, end + 1).join('\n'));
  keepRun(name, execution);
  const { error } = execution.data.resultData;
  if (error !== undefined) throw new Error(`${name}: ${error.message}: ${error.description ?? ''}`);
  return { execution, peakMib };
}

/** Whether n8n can publish it: something starts it, and no hand. */
function hasTrigger({ nodes }) {
  const types = nodes.map(({ type }) => type);
  return !types.includes('n8n-nodes-base.manualTrigger');
}
