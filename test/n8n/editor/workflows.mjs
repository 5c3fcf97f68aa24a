// Workflows with our nodes, as the editor keeps them.
import { randomUUID } from 'node:crypto';

const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
const action = { name: 'Aftermeet', type: 'n8n-nodes-aftermeet.aftermeet', typeVersion: 1 };

export function drawTrigger(credentials) {
  const type = 'n8n-nodes-aftermeet.aftermeetTrigger';
  const trigger = { name: 'Aftermeet Trigger', type, typeVersion: 1, parameters: {}, credentials };
  return draw('Trigger', [{ ...trigger, webhookId: randomUUID() }], {});
}

/** One operation, started by hand; `onError` is what n8n calls it. */
export function drawAction(credentials, parameters, onError) {
  return draw('Action', [start, { ...action, parameters, credentials, onError }], { Start: ['Aftermeet'] });
}

/** Asks for the tasks of one meeting after the other. */
export function drawLoop(credentials, meetingIds) {
  const list = { mode: 'raw', jsonOutput: JSON.stringify({ id: meetingIds }) };
  const meetingId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
  const parameters = { resource: 'report', operation: 'getTasks', meetingId };
  const nodes = [
    start,
    { name: 'List', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: list },
    { name: 'Split', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'id' } },
    { name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: {} },
    { ...action, parameters, credentials, onError: 'continueRegularOutput' },
    { name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
  ];
  return draw('Loop', nodes, {
    Start: ['List'],
    List: ['Split'],
    Split: ['Loop'],
    // What is done, and what is next.
    Loop: ['Done', 'Aftermeet'],
    Aftermeet: ['Loop'],
  });
}

/** `targets` of each node: one for each of its outputs. */
function draw(name, nodes, targets) {
  return {
    name,
    settings: { executionOrder: 'v1' },
    nodes: nodes.map((node, at) => ({ id: randomUUID(), position: [at * 200, 0], ...node })),
    connections: Object.fromEntries(
      Object.entries(targets).map(([from, outputs]) => [
        from,
        { main: outputs.map((node) => [{ node, type: 'main', index: 0 }]) },
      ]),
    ),
  };
}
