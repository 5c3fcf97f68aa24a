// What n8n's server hands to every run, as far as a node can see it.
export function makeAdditionalData(core, credentialsHelper, { workflowData, mode, more = {} }) {
  const base = 'http://127.0.0.1:1';
  const additionalData = {
    currentNodeExecutionIndex: 0,
    executionId: 'proof',
    credentialsHelper,
    restApiUrl: `${base}/rest`,
    instanceBaseUrl: `${base}/`,
    formWaitingBaseUrl: `${base}/form-waiting`,
    formBaseUrl: `${base}/form`,
    formTestBaseUrl: `${base}/form-test`,
    webhookBaseUrl: `${base}/webhook`,
    webhookWaitingBaseUrl: `${base}/webhook-waiting`,
    webhookTestBaseUrl: `${base}/webhook-test`,
    mcpBaseUrl: `${base}/mcp`,
    mcpTestBaseUrl: `${base}/mcp-test`,
    workflowId: workflowData.id,
    variables: {},
    setExecutionStatus: () => {},
    logAiEvent: () => {},
    ...more,
  };
  additionalData.hooks = new core.ExecutionLifecycleHooks(mode, 'proof', workflowData);
  return additionalData;
}
