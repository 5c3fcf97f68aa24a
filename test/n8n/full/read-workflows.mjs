// The workflows as they are in recipes/n8n, with what a user sets: the node "Settings" and the credentials.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { toN8nWorkflow } from '@aftermeet/recipes';

const source = join(import.meta.dirname, '../../../recipes/n8n');

/** Recipes with conditions and options of their own, by their names. */
const configured = {
  'archive-two': {
    use: 'archive-export',
    when: { title: ['*title', 'PLANNING*quart?r'], duration: { atLeast: '1s' } },
    with: { format: ['docx', 'md'], timezone: 'Europe/Berlin' },
  },
  'recap-of-others': { use: 'slack-recap', when: { template: 'no-such-template' }, with: {} },
};

/** The workflows of core nodes by the names of their recipes. `settings` replaces the values of the node "Settings" that it has. */
export function readCoreWorkflows(settings) {
  const drawn = Object.entries(configured).map(([name, recipe]) => [
    name,
    structuredClone(toN8nWorkflow({ name, ...recipe }).workflow),
  ]);
  const workflows = new Map([...readFolder(source), ...drawn]);
  for (const workflow of workflows.values()) applySettings(workflow, settings);
  return workflows;
}

/** Those with our nodes, by the names of their files. */
export function readNodeWorkflows(settings) {
  const folder = join(source, 'with-nodes');
  const workflows = new Map(existsSync(folder) ? readFolder(folder) : []);
  for (const workflow of workflows.values()) applySettings(workflow, settings);
  return workflows;
}

function readFolder(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))]);
}

function applySettings({ nodes }, settings) {
  const fields = nodes.find(({ name }) => name === 'Settings')?.parameters.assignments?.assignments ?? [];
  for (const field of fields) {
    if (Object.hasOwn(settings, field.name)) field.value = settings[field.name];
  }
}

/**
 * Gives a workflow that begins with a clock, or with something that is not here, a start by hand, which is what `n8n execute`
 * takes. `item` is what its own trigger would have handed on.
 */
export function startByHand(workflow, item) {
  const at = workflow.nodes.findIndex(({ type }) => /[tT]rigger$/.test(type));
  // In place of the trigger: of several starts n8n chooses for itself.
  const [{ name }] = workflow.nodes.splice(at, 1, {
    ...start,
    id: 'by-hand',
    name: 'By hand',
    position: [0, 0],
    parameters: {},
  });
  const { [name]: behind, ...others } = workflow.connections;
  workflow.connections = others;
  if (item === undefined) {
    workflow.connections['By hand'] = behind;
    return;
  }
  const parameters = { mode: 'raw', jsonOutput: JSON.stringify(item) };
  workflow.nodes.push({ ...fixed, id: 'given', name: 'Given', position: [0, 200], parameters });
  workflow.connections['By hand'] = { main: [[{ node: 'Given', type: 'main', index: 0 }]] };
  workflow.connections['Given'] = behind;
}

const start = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
const fixed = { type: 'n8n-nodes-base.set', typeVersion: 3.4 };

/** Where n8n takes the deliveries of a published workflow; undefined for one that begins otherwise. */
export function findAddress(workflow) {
  for (const { type, webhookId, parameters } of workflow.nodes) {
    if (type === 'n8n-nodes-base.webhook') return `/webhook/${parameters.path}`;
    if (type === 'n8n-nodes-aftermeet.aftermeetTrigger' && webhookId !== undefined) {
      return `/webhook/${webhookId}/${triggerPath}`;
    }
  }
  return undefined;
}

/** As the trigger's description names it. */
const triggerPath = 'webhook';
