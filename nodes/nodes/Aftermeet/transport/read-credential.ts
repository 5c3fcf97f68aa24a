import { readAddress, ServiceError } from '@aftermeet/client/pure';

import type { ServiceContext } from './service-context.ts';

export const credentialName = 'aftermeetApi';

export interface ServiceCredential {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Of the MCP endpoint, without `/mcp`; undefined where none is given. */
  readonly mcpUrl: string | undefined;
  /** Only for leaving it out of errors: n8n itself sends it. */
  readonly apiKey: string;
}

/** Throws `ServiceError` for an address that is none. */
export async function readCredential(context: ServiceContext): Promise<ServiceCredential> {
  const { baseUrl, mcpUrl, apiKey } = await context.getCredentials(credentialName);
  return {
    baseUrl: readCredentialAddress(baseUrl, 'Base Address'),
    mcpUrl: isBlank(mcpUrl) ? undefined : readCredentialAddress(mcpUrl, 'MCP Address'),
    // As it is sent (credentials/sign-request.ts).
    apiKey: typeof apiKey === 'string' ? apiKey.trim() : '',
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

function readCredentialAddress(value: unknown, field: string): string {
  const reading = readAddress(typeof value === 'string' ? value.trim() : value);
  if (reading.ok) return reading.address;
  const detail = `${field} in the credential ${reading.rule}`;
  throw new ServiceError({ code: 'bad_request', doing: 'credential', detail, unsent: true });
}
