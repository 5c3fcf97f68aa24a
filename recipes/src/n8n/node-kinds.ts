/** The core nodes that workflows are made of. Their versions are in n8n 2.41.1, and in as many before it as can be. */
export const nodeKinds = {
  webhook: { type: 'n8n-nodes-base.webhook', typeVersion: 2.1 },
  schedule: { type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.3 },
  extract: { type: 'n8n-nodes-base.extractFromFile', typeVersion: 1.1 },
  set: { type: 'n8n-nodes-base.set', typeVersion: 3.4 },
  crypto: { type: 'n8n-nodes-base.crypto', typeVersion: 2 },
  code: { type: 'n8n-nodes-base.code', typeVersion: 2 },
  if: { type: 'n8n-nodes-base.if', typeVersion: 2.2 },
  filter: { type: 'n8n-nodes-base.filter', typeVersion: 2.2 },
  respond: { type: 'n8n-nodes-base.respondToWebhook', typeVersion: 1.4 },
  removeDuplicates: { type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
  http: { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
  wait: { type: 'n8n-nodes-base.wait', typeVersion: 1.1 },
  stop: { type: 'n8n-nodes-base.stopAndError', typeVersion: 1 },
  email: { type: 'n8n-nodes-base.emailSend', typeVersion: 2.1 },
  file: { type: 'n8n-nodes-base.readWriteFile', typeVersion: 1.1 },
  note: { type: 'n8n-nodes-base.stickyNote', typeVersion: 1 },
} as const;

export type NodeKind = keyof typeof nodeKinds;

/** The credentials that somebody makes in n8n, by the names that the workflows know them by. */
export const credentials = {
  secret: { type: 'crypto', name: 'Aftermeet webhook secret' },
  apiKey: { type: 'httpHeaderAuth', name: 'Aftermeet API key' },
  slack: { type: 'slackApi', name: 'Aftermeet Slack' },
  notion: { type: 'httpBearerAuth', name: 'Aftermeet Notion' },
  mail: { type: 'smtp', name: 'Aftermeet mail' },
  forward: { type: 'crypto', name: 'Aftermeet forward secret' },
} as const;

export type CredentialName = keyof typeof credentials;
