import type {
  IAuthenticate,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

import { signRequest } from './sign-request.ts';

const elsewhere = 'The service answers from another address: put that one into Base Address';

/**
 * Everything that Aftermeet needs of a workspace: where the service is, its API key (specification, "Authentication") and the secrets
 * that deliveries are signed with ("Events"). One credential, because n8n lets a node use one only. The trigger needs the secrets
 * alone, unless it fetches reports; so nothing is required here, and each node says what it misses.
 */
export class AftermeetApi implements ICredentialType {
  name = 'aftermeetApi';

  displayName = 'Aftermeet API';

  properties: INodeProperties[] = [
    {
      displayName: 'Base Address',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://service.example.com',
      description: 'The address of the service, without /api',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        "From the workspace's settings; a new key makes the old one invalid at once. It is sent to the addresses in this credential and to no other. An Aftermeet Trigger that fetches no report needs none.",
    },
    {
      displayName: 'MCP Address',
      name: 'mcpUrl',
      type: 'string',
      default: '',
      placeholder: 'https://mcp.example.com',
      description: 'The address of the MCP endpoint, without /mcp; only needed for the MCP operations',
    },
    {
      displayName: 'Webhook Secret',
      name: 'webhookSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        "What deliveries to the Aftermeet Trigger are signed with. Make one up: 16 to 128 characters, such as openssl rand -hex 32 prints. Of Aftermeet's receiver it is the secret of its recipe http-forward (whsec_ and Base64).",
    },
    {
      displayName: 'Signed By',
      name: 'signedBy',
      type: 'options',
      default: 'service',
      options: [
        {
          name: "Aftermeet's Receiver",
          value: 'receiver',
          description: 'Its recipe http-forward sends them on, signed as Standard Webhooks has it',
        },
        {
          name: 'The Service',
          value: 'service',
          description:
            'Deliveries come straight from the service, signed with the webhook secret of the meeting',
        },
      ],
      description: 'What posts to the webhook address of the trigger, and so whose signature it carries',
    },
    {
      displayName: 'Previous Secret',
      name: 'previousSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        'Accepted as well. When you change the webhook secret, put the old one here until the last meeting that was given it is over: a scheduled one may be three months ahead.',
    },
    {
      displayName: 'Secret Before That',
      name: 'olderSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Accepted as well, for a second change before the first one is over',
    },
  ];

  documentationUrl = 'https://github.com/aftermeet/aftermeet/blob/main/nodes/README.md';

  icon: Icon = { light: 'file:../icons/aftermeet.svg', dark: 'file:../icons/aftermeet.dark.svg' };

  authenticate: IAuthenticate = async (credentials, request) => signRequest(credentials, request);

  /**
   * The tags, because it changes nothing; the key must not follow a redirect. A webhook secret cannot be asked about: a signature comes
   * with a delivery and not before, so the trigger looks at its form when the workflow is activated.
   */
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim()}}',
      url: '/api/workspaces/active/tags',
      qs: { perPage: 1 },
      disableFollowRedirect: true,
    },
    rules: [
      explain(401, 'The service does not accept this API key'),
      explain(402, "The workspace's plan does not allow this"),
      explain(403, "The workspace's plan or this key does not allow the API"),
      explain(404, 'This is not the service: check the Base Address, which is without /api'),
      ...[301, 302, 303, 307, 308].map((status) => explain(status, elsewhere)),
    ],
  };
}

function explain(value: number, message: string) {
  return { type: 'responseCode' as const, properties: { value, message } };
}
