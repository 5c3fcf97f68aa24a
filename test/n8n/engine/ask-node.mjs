// What n8n asks a node outside a run: its search lists, its poll, and the test of its credential.
import { nameCredentials } from './credentials.mjs';
import { prefix } from './node-types.mjs';

/** A list of a resource locator: what `methods.listSearch` answers. `parameters` are the others of the node just then. */
export async function searchList(engine, method, { filter, paginationToken, credentials, parameters = {} }) {
  const type = `${prefix}aftermeet`;
  const nodeType = engine.nodeTypes.getByNameAndVersion(type);
  const nodes = [{ name: 'Node', type, parameters, credentials: nameCredentials(credentials) }];
  const { workflow, workflowData } = engine.makeWorkflow(nodes, {}, { credentials });
  const additionalData = engine.makeAdditionalData(credentials, {
    workflowData,
    mode: 'internal',
    more: { currentNodeParameters: parameters },
  });
  const context = new engine.core.LoadOptionsContext(workflow, workflow.getNode('Node'), additionalData, '');
  return await nodeType.methods.listSearch[method].call(context, filter, paginationToken);
}

/** A node that n8n polls, as it is while its workflow is active: each `poll` answers its items or null. `staticData` is what n8n keeps of it. */
export function openPoller(engine, node, { credentials, staticData = {} }) {
  const options = { credentials, staticData, active: true };
  const { workflow, workflowData } = engine.makeWorkflow([{ name: 'Trigger', ...node }], {}, options);
  const additionalData = engine.makeAdditionalData(credentials, { workflowData, mode: 'trigger' });
  const polled = workflow.getNode('Trigger');
  const nodeType = engine.nodeTypes.getByNameAndVersion(polled.type, polled.typeVersion);
  return {
    poll: async () => {
      const context = new engine.core.PollContext(workflow, polled, additionalData, 'trigger', 'activate');
      const outputs = await nodeType.poll.call(context);
      return outputs === null ? null : outputs[0];
    },
    staticData: () => JSON.parse(JSON.stringify(workflow.staticData)),
  };
}

/** Sends the request that the credential's test describes, as n8n does; answers its status. */
export async function testCredential(engine, name, credentials) {
  const { type } = engine.loader.getCredential(name);
  const { workflow } = engine.makeWorkflow(
    [{ name: 'Node', type: `${prefix}aftermeet` }],
    {},
    { credentials },
  );
  const node = workflow.getNode('Node');
  const given = credentials[name];
  const resolve = (value) =>
    workflow.expression.getSimpleParameterValue(
      node,
      value,
      'internal',
      { $credentials: given },
      undefined,
      '',
    );
  const { baseURL, url, qs = {}, method = 'GET' } = type.test.request;
  const address = new URL(`${resolve(baseURL)}${resolve(url)}`);
  for (const [key, value] of Object.entries(qs)) address.searchParams.set(key, String(resolve(value)));
  const helper = engine.helpCredentials(credentials);
  const signed = await helper.authenticate(given, name, { method, url: address.href }, workflow, node);
  const answer = await fetch(address, { method, headers: signed.headers, redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.status;
}
