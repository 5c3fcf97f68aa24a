/** How n8n marks static data that has changed. */
const changedMark = '__dataChanged';

/**
 * The workflow of a trigger node as n8n makes it anew for each request, with what was `kept` of its static data. `base` is where
 * n8n is reached.
 */
export function wakeTrigger(engine, node, { credentials, kept, base }) {
  const nodes = [{ name: 'Trigger', webhookId: 'proof', ...node }];
  const options = { credentials, staticData: JSON.parse(kept), active: true };
  const { workflow, workflowData } = engine.makeWorkflow(nodes, {}, options);
  const more = { webhookBaseUrl: `${base}/webhook`, webhookTestBaseUrl: `${base}/webhook-test` };
  const additionalData = engine.makeAdditionalData(credentials, { workflowData, mode: 'webhook', more });
  const trigger = workflow.getNode('Trigger');
  const nodeType = engine.nodeTypes.getByNameAndVersion(trigger.type, trigger.typeVersion);
  const [webhookDescription] = nodeType.description.webhooks;
  const webhookData = {
    node: 'Trigger',
    webhookDescription,
    path: '',
    workflowId: workflow.id,
    workflowExecuteAdditionalData: additionalData,
  };
  /** A part of the webhook's description, its expression resolved. */
  const read = (name, other) =>
    workflow.expression.getComplexParameterValue(
      trigger,
      webhookDescription[name],
      'webhook',
      {},
      undefined,
      other,
    );
  const { WebhookContext, HookContext } = engine.core;
  return {
    read,
    url: () =>
      engine.workflow.NodeHelpers.getNodeWebhookUrl(
        more.webhookBaseUrl,
        workflow.id,
        trigger,
        read('path', ''),
        read('isFullPath', false),
      ),
    receive: async (httpRequest, httpResponse) => {
      Object.assign(additionalData, { httpRequest, httpResponse });
      const words = [workflow, trigger, additionalData, 'webhook', webhookData, [], null];
      return await nodeType.webhook.call(new WebhookContext(...words));
    },
    activate: async () => {
      const words = [workflow, trigger, additionalData, 'trigger', 'activate', webhookData];
      return await nodeType.webhookMethods.default.create.call(new HookContext(...words));
    },
    /** The execution that a request has started, with these items; answers what the trigger hands on. */
    run: async (items) => {
      const runExecutionData = engine.workflow.createRunExecutionData({
        executionData: { nodeExecutionStack: [{ node: trigger, data: { main: [items] }, source: null }] },
      });
      const execute = new engine.core.WorkflowExecute(additionalData, 'webhook', runExecutionData);
      const { data } = await execute.processRunExecutionData(workflow);
      if (data.resultData.error !== undefined) throw data.resultData.error;
      return data.resultData.runData.Trigger.at(-1).data.main[0];
    },
    /** Undefined where nothing has changed. */
    changedData: () =>
      workflow.staticData[changedMark] === true ? JSON.stringify(workflow.staticData) : undefined,
  };
}
