// The workflows as they are in recipes/n8n, with what a user sets: the node "Settings" and the credentials.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../../recipes/n8n');

/** The shipped workflows by the names of their files. `settings` replaces the values of the node "Settings" that it has. */
export function readWorkflows(settings) {
  const workflows = new Map(
    readdirSync(source)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(join(source, name), 'utf8'))]),
  );
  for (const workflow of workflows.values()) {
    applySettings(workflow, settings);
    nameAddresses(workflow);
  }
  return workflows;
}

/** As the editor does at an import: without an id n8n makes the address of the node's name, and then does not find it. */
function nameAddresses({ nodes }) {
  for (const node of nodes) if (node.type === triggerType) node.webhookId ??= randomUUID();
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
  const trigger = workflow.nodes.find(({ type }) => type === triggerType);
  return trigger === undefined ? undefined : `/webhook/${trigger.webhookId}/${triggerPath}`;
}

const triggerType = 'n8n-nodes-aftermeet.aftermeetTrigger';

/** As the trigger's description names it. */
const triggerPath = 'webhook';
