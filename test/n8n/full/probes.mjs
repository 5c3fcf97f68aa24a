// Workflows that no recipe needs, made for what has to be proven of the nodes.
const action = { type: 'n8n-nodes-aftermeet.aftermeet', typeVersion: 1 };
const trigger = { type: 'n8n-nodes-aftermeet.aftermeetTrigger', typeVersion: 1 };
const poll = { type: 'n8n-nodes-aftermeet.aftermeetPollTrigger', typeVersion: 1 };
const hand = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
const nothing = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
const api = { aftermeetApi: { id: 'aftermeetApi0001', name: 'Aftermeet API' } };
const forwarded = { aftermeetApi: { id: 'aftermeetProofFw', name: 'Forwarded' } };
const large = { aftermeetApi: { id: 'aftermeetProofBg', name: 'Large files' } };
const byId = (value) => ({ __rl: true, mode: 'id', value });

/** By their names. */
export function listProbes() {
  const probes = [
    draw('probe-trigger', [listen({}), { name: 'Done', ...nothing }]),
    draw('probe-filtered', [
      listen({
        events: ['meeting.completed'],
        filters: { title: 'weekly *', emptyTranscript: 'skip' },
      }),
      { name: 'Done', ...nothing },
    ]),
    draw('probe-forwarded', [
      { ...listen({}), credentials: forwarded },
      { name: 'Done', ...nothing },
    ]),
    draw('probe-poll', [
      {
        name: 'Aftermeet Trigger',
        ...poll,
        credentials: api,
        parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] } },
      },
      { name: 'Done', ...nothing },
    ]),
    draw('probe-idle', [
      { name: 'Start', ...hand },
      { name: 'Done', ...nothing },
    ]),
    draw('probe-large', [
      { name: 'Start', ...hand },
      {
        name: 'Download',
        ...action,
        credentials: large,
        parameters: { resource: 'export', operation: 'download', meetingId: byId('m_large'), format: 'pdf' },
      },
      {
        name: 'Upload',
        ...action,
        credentials: large,
        parameters: { resource: 'upload', operation: 'upload', options: { fileName: 'large.mp4' } },
      },
    ]),
  ];
  return new Map(probes.map((probe) => [probe.name, probe]));
}

function listen(parameters) {
  return { name: 'Aftermeet Trigger', ...trigger, parameters, credentials: api };
}

/** Nodes in a row. */
function draw(name, nodes) {
  const connections = nodes
    .slice(1)
    .map((node, at) => [nodes[at].name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }]);
  return {
    id: `aftermeet${name}`.replaceAll('-', ''),
    name,
    active: false,
    settings: { executionOrder: 'v1' },
    nodes: nodes.map((node, at) => ({
      id: `${name}-${at}`,
      position: [at * 200, 0],
      ...(node.type === trigger.type ? { webhookId: `${name}-address` } : {}),
      ...node,
    })),
    connections: Object.fromEntries(connections),
  };
}
