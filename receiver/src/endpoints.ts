import { deriveSecret, isCapabilityKey } from '@aftermeet/webhooks';

/** One address that deliveries arrive at. */
export interface Endpoint {
  /** Every secret that is valid now: during a rotation the new one and the old one. */
  readonly secrets: readonly string[];
  /** Takes deliveries without a signature as hints, at a derived capability address and nowhere else. */
  readonly unsigned?: 'accept';
}

export interface Endpoints {
  readonly byName: ReadonlyMap<string, Endpoint>;
  /** Turns derive mode on: `/hooks/<endpoint>/<key>` has a secret of its own. */
  readonly masterSecret?: string | undefined;
}

export interface Address {
  readonly endpoint: string;
  readonly key?: string;
}

/** Names of endpoints and keys stand in addresses as they are. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

export function isEndpointName(text: string): boolean {
  return namePattern.test(text);
}

/**
 * Reads `/<endpoint>[/<key>]`; the query string and a slash at the end count for nothing, because a 404 would
 * lose the event for ever. Undefined when it is neither.
 */
export function readAddress(url: string): Address | undefined {
  const query = url.indexOf('?');
  let end = query === -1 ? url.length : query;
  if (end > 1 && url[end - 1] === '/') end -= 1;
  if (url[0] !== '/') return undefined;
  const slash = url.indexOf('/', 1);
  if (slash === -1 || slash >= end) {
    const endpoint = url.slice(1, end);
    return namePattern.test(endpoint) ? { endpoint } : undefined;
  }
  const endpoint = url.slice(1, slash);
  const key = url.slice(slash + 1, end);
  return namePattern.test(endpoint) && namePattern.test(key) ? { endpoint, key } : undefined;
}

/** The secrets that may have signed a delivery to this address; undefined when there is no such address. */
export function findSecrets(endpoints: Endpoints, address: Address): readonly string[] | undefined {
  const endpoint = endpoints.byName.get(address.endpoint);
  if (endpoint === undefined) return undefined;
  if (address.key === undefined) return endpoint.secrets.length > 0 ? endpoint.secrets : undefined;
  if (endpoints.masterSecret === undefined) return undefined;
  return [deriveSecret(endpoints.masterSecret, address.endpoint, address.key)];
}

/**
 * Whether an unsigned delivery to this address is taken as a hint: only where the endpoint says so, and only at an
 * address that nobody can guess.
 */
export function takesHints(endpoints: Endpoints, { endpoint, key }: Address): boolean {
  return (
    key !== undefined &&
    endpoints.masterSecret !== undefined &&
    endpoints.byName.get(endpoint)?.unsigned === 'accept' &&
    isCapabilityKey(endpoints.masterSecret, endpoint, key)
  );
}
