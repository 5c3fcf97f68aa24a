import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

/** The workspace's API key, sent as `X-API-KEY` to the base address (specification, "Authentication"). */
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
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: "From the workspace's settings; a new key makes the old one invalid at once",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-API-KEY': '={{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/api/workspaces/active/tags', qs: { perPage: 1 } },
  };
}
