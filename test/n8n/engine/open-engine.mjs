// n8n's engine (n8n-core and n8n-workflow) with our package in it, without n8n's server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeAdditionalData } from './additional-data.mjs';
import { openPoller, searchList, testCredential } from './ask-node.mjs';
import { makeCredentials } from './credentials.mjs';
import { loadEngine } from './load-engine.mjs';
import { makeNodeTypes, prefix } from './node-types.mjs';
import { openWebhook } from './open-webhook.mjs';
import { packNodes, unpackNodes } from './pack-nodes.mjs';
import { completeNode, runNode, runWorkflow } from './run-workflow.mjs';

export async function openEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-engine-'));
  const { core, workflow, workflowFolder, Container, parseIncomingMessage } = loadEngine(folder);
  const close = () => rmSync(folder, { recursive: true, force: true });
  let loader;
  try {
    loader = new core.PackageDirectoryLoader(unpackNodes(packNodes(folder), folder, workflowFolder));
    await loader.loadAll();
  } catch (error) {
    close();
    throw error;
  }
  const nodeTypes = makeNodeTypes(loader, workflow);
  const binaries = Container.get(core.BinaryDataService);
  await binaries.init();

  const engine = {
    core,
    workflow,
    loader,
    nodeTypes,
    binaries,
    parseIncomingMessage,
    /** `memory` or `filesystem`. */
    useBinary(mode) {
      binaries.mode = { memory: 'default', filesystem: 'filesystem-v2' }[mode];
    },
    /** `name` without the package: `aftermeet`. */
    describe: (name) => loader.getNode(name).type.description,
    makeWorkflow(nodes, connections, { credentials, staticData = {}, settings = {}, active = false }) {
      const workflowData = {
        id: 'proof',
        name: 'Proof',
        active,
        nodes: nodes.map((node, index) => completeNode(node, index, credentials)),
        connections,
        staticData,
        settings: { executionOrder: 'v1', ...settings },
      };
      return { workflowData, workflow: new workflow.Workflow({ ...workflowData, nodeTypes }) };
    },
    helpCredentials: (credentials) => makeCredentials(loader, credentials, workflow),
    makeAdditionalData: (credentials, options) =>
      makeAdditionalData(core, engine.helpCredentials(credentials), options),
    runWorkflow: (options) => runWorkflow(engine, options),
    runNode: (node, options) => runNode(engine, node, options),
    /** The action node with one operation. */
    run: ({ resource, operation, parameters = {}, node = {}, ...options }) =>
      runNode(
        engine,
        { type: `${prefix}aftermeet`, parameters: { resource, operation, ...parameters }, ...node },
        options,
      ),
    search: (method, options) => searchList(engine, method, options),
    testCredential: (name, credentials) => testCredential(engine, name, credentials),
    /** The trigger node, polled. */
    openPoller: (parameters, options) => openPoller(engine, describeTrigger(parameters, options), options),
    /** The trigger node, called over HTTP. */
    openWebhook: (parameters, options) => openWebhook(engine, describeTrigger(parameters, options), options),
    /** What stands in `item.binary.data`. */
    makeBinary: async (bytes, { fileName, mimeType = 'application/octet-stream' }) => {
      const location = core.FileLocation.ofExecution('proof', 'proof');
      return await binaries.store(location, bytes, { data: '', fileName, mimeType });
    },
    /** The bytes of it. */
    readBinary: (kept) => binaries.getAsBuffer(kept),
    close,
  };
  return engine;
}

/** `type` is another trigger of the package. */
function describeTrigger(parameters, { type = 'aftermeetTrigger' } = {}) {
  return { type: `${prefix}${type}`, parameters };
}
