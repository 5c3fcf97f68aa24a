import type {
  IAuthenticate,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

import { signRequest } from './sign-request.ts';

const elsewhere = 'The service answers from another address: put that one into Base Address';

/** The workspace's API key (specification, "Authentication"): one credential for the service and its MCP endpoint. */
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
      required: true,
      description: 'The address of the service, without /api',
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
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        "From the workspace's settings; a new key makes the old one invalid at once. It is sent to the addresses above and to no other.",
    },
  ];

  documentationUrl = 'https://github.com/aftermeet/aftermeet/blob/main/nodes/README.md';

  icon: Icon = { light: 'file:../icons/aftermeet.svg', dark: 'file:../icons/aftermeet.dark.svg' };

  authenticate: IAuthenticate = async (credentials, request) => signRequest(credentials, request);

  /** The tags, because it changes nothing; the key must not follow a redirect. */
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
