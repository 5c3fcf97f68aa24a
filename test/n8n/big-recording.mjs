// The workflow that fetches a recording and uploads it again, and its credential, as n8n imports them. n8n's own node fetches it:
// ours downloads documents, of 1 GiB at most.
export function describeCredential(baseUrl) {
  const data = { baseUrl, mcpUrl: '', apiKey: 'measuring_key' };
  return { id: 'bigcredential', name: 'Aftermeet', type: 'aftermeetApi', data };
}

export function describeWorkflow(baseUrl) {
  const credentials = { aftermeetApi: { id: 'bigcredential', name: 'Aftermeet' } };
  const next = (name) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
  return {
    id: 'big',
    name: 'Big recording',
    active: false,
    settings: { executionOrder: 'v1' },
    nodes: [
      {
        id: 'a',
        name: 'Start',
        type: 'n8n-nodes-base.manualTrigger',
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
      },
      {
        id: 'b',
        name: 'Fetch',
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        position: [200, 0],
        parameters: {
          url: `${baseUrl}/recording`,
          options: { response: { response: { responseFormat: 'file' } } },
        },
      },
      {
        id: 'c',
        name: 'Upload',
        type: 'n8n-nodes-aftermeet.aftermeet',
        typeVersion: 1,
        position: [400, 0],
        parameters: { resource: 'upload', operation: 'upload', binaryPropertyName: 'data' },
        credentials,
      },
    ],
    connections: { Start: next('Fetch'), Fetch: next('Upload') },
  };
}
