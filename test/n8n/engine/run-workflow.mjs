// Runs a workflow with n8n's own WorkflowExecute.
import { nameCredentials } from './credentials.mjs';
import { startType } from './node-types.mjs';

/**
 * Nodes in a row behind a start that hands them `items`; `connections` instead connects them otherwise. Answers the
 * error that ended it, and of each node what left it by each output.
 */
export async function runWorkflow(
  engine,
  { nodes, connections, items = [{ json: {} }], credentials = {}, settings },
) {
  const { core } = engine;
  const all = [{ name: 'Start', type: startType, parameters: {} }, ...nodes];
  const { workflow, workflowData } = engine.makeWorkflow(all, connections ?? connectInRow(all), {
    credentials,
    settings,
  });
  const additionalData = engine.makeAdditionalData(credentials, { workflowData, mode: 'trigger' });
  const runExecutionData = engine.workflow.createRunExecutionData({
    executionData: {
      nodeExecutionStack: [{ node: workflow.getNode('Start'), data: { main: [items] }, source: null }],
    },
  });
  const run = await new core.WorkflowExecute(
    additionalData,
    'trigger',
    runExecutionData,
  ).processRunExecutionData(workflow);
  const { runData, error } = run.data.resultData;
  const played = Object.entries(runData).map(([name, runs]) => [
    name,
    { outputs: runs.at(-1).data?.main ?? [] },
  ]);
  return { status: run.status, error, nodes: Object.fromEntries(played) };
}

/** One node behind the start: the items of its first output and of the error output. */
export async function runNode(engine, node, options = {}) {
  const { error, status, nodes } = await runWorkflow(engine, {
    ...options,
    nodes: [{ name: 'Node', ...node }],
  });
  const [items = [], failed = []] = nodes.Node?.outputs ?? [];
  return { status, error, items, failed };
}

/** A node as n8n keeps it. */
export function completeNode(node, index, credentials) {
  return {
    id: `node-${index}`,
    typeVersion: 1,
    position: [index * 200, 0],
    parameters: {},
    ...(Object.keys(credentials).length === 0 ? {} : { credentials: nameCredentials(credentials) }),
    ...node,
  };
}

function connectInRow(nodes) {
  const rows = nodes
    .slice(1)
    .map((node, index) => [nodes[index].name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }]);
  return Object.fromEntries(rows);
}
