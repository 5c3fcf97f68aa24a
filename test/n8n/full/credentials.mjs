// The credentials that the workflows name, as a user would enter them.
export const webhookSecret = 'a-secret-of-the-proof';
const previousSecret = 'the-secret-before-that-one';
export const forwardSecret = 'another-secret-of-the-proof';

/** What `n8n import:credentials` reads. Workflows find their credentials by id. */
export function listCredentials(world) {
  return [...listNodeCredentials(world), ...listProbeCredentials(world)];
}

function listNodeCredentials({ key, url, vendors, model }) {
  const google = { clientId: 'proof', clientSecret: 'proof', oauthTokenData: { access_token: 'proof' } };
  return [
    [
      'aftermeetApi0001',
      'Aftermeet API',
      'aftermeetApi',
      {
        baseUrl: url,
        mcpUrl: url,
        apiKey: key,
        signedBy: 'service',
        webhookSecret,
        previousSecret,
        olderSecret: '',
      },
    ],
    ['aftermeetSlack01', 'Aftermeet Slack', 'slackApi', { accessToken: 'xoxb-proof' }],
    ['aftermeetNotion1', 'Aftermeet Notion', 'httpBearerAuth', { token: 'ntn_proof' }],
    ['aftermeetMail001', 'Aftermeet mail', 'smtp', describeMail(vendors)],
    ['aftermeetCalend1', 'Google Calendar', 'googleCalendarOAuth2Api', google],
    ['aftermeetMcp0001', 'Aftermeet MCP', 'httpBearerAuth', { token: key }],
    ['aftermeetModel01', 'OpenAI', 'openAiApi', { apiKey: 'sk-proof', url: model.url }],
  ].map(([id, name, type, data]) => ({ id, name, type, data }));
}

function listProbeCredentials({ bigFiles }) {
  return [
    {
      id: 'aftermeetProofFw',
      name: 'Forwarded',
      type: 'aftermeetApi',
      // The trigger alone uses it: no address, no key.
      data: { signedBy: 'receiver', webhookSecret: forwardSecret },
    },
    {
      id: 'aftermeetProofBg',
      name: 'Large files',
      type: 'aftermeetApi',
      data: { baseUrl: bigFiles.url, mcpUrl: '', apiKey: 'proof_key' },
    },
  ];
}

function describeMail({ mail }) {
  const { hostname: host, port } = new URL(mail.url);
  return { host, port: Number(port), secure: false, disableStartTls: true, user: '', password: '' };
}
