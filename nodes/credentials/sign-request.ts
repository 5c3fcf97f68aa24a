import { type AddressResult, parseAddress } from '@aftermeet/client/pure';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

/**
 * What keeps a request where it was sent. The second and third are for n8n's own HTTP Request node, which follows redirects by
 * itself, with all headers but `Authorization`, to whatever address they name.
 */
const unfollowed = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };

/**
 * Adds the key to a request: as `X-API-KEY` below the base address, as a bearer token for the MCP endpoint (specification,
 * "Authentication"). To any other address the key does not go, not by a redirect either, and neither does the request: throws,
 * naming no address.
 */
export function signRequest(
  { baseUrl, mcpUrl, apiKey }: ICredentialDataDecryptedObject,
  request: IHttpRequestOptions,
): IHttpRequestOptions {
  if (isBlank(baseUrl) && isBlank(mcpUrl))
    throw new Error(
      'The credential has no Base Address and no API Key: only the Aftermeet Trigger can use it',
    );
  if (isBlank(apiKey)) throw new Error('The credential has no API Key');
  const target = findTarget(request);
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  const endpoint = readGiven(mcpUrl);
  if (target !== undefined && endpoint.ok && isSame(target, new URL(`${endpoint.address}/mcp`))) {
    return { ...request, ...unfollowed, headers: { ...request.headers, authorization: `Bearer ${key}` } };
  }
  const base = readGiven(baseUrl);
  if (!base.ok) throw new Error(`The Base Address in the credential must be ${base.expected}`);
  if (target !== undefined && isBelow(target, new URL(base.address))) {
    return { ...request, ...unfollowed, headers: { ...request.headers, 'X-API-KEY': key } };
  }
  throw new Error("The API key goes to the credential's Base Address and MCP Address only");
}

function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

function readGiven(value: unknown): AddressResult {
  return parseAddress(typeof value === 'string' ? value.trim() : value);
}

/** An address that is none by itself is put behind the `baseURL`, with one slash in between, as n8n does. */
function findTarget(request: IHttpRequestOptions): URL | undefined {
  // n8n's own HTTP Request node calls it `uri`.
  const { url, uri, baseURL }: { url?: unknown; uri?: unknown; baseURL?: string } = request;
  const given = url ?? uri;
  if (typeof given !== 'string') return undefined;
  if (URL.canParse(given)) return new URL(given);
  const joined = `${(baseURL ?? '').replace(/\/+$/, '')}/${given.replace(/^\/+/, '')}`;
  return URL.canParse(joined) ? new URL(joined) : undefined;
}

function isSame(target: URL, address: URL): boolean {
  return target.origin === address.origin && target.pathname === address.pathname && target.search === '';
}

function isBelow({ origin, pathname }: URL, base: URL): boolean {
  return origin === base.origin && pathname.startsWith(`${base.pathname.replace(/\/+$/, '')}/`);
}
