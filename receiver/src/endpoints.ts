import { deriveSecret } from '@aftermeet/webhooks';

/** One address that deliveries arrive at. */
export interface Endpoint {
  /** Every secret that is valid now: during a rotation the new one and the old one. */
  readonly secrets: readonly string[];
}

export interface Endpoints {
  readonly byName: ReadonlyMap<string, Endpoint>;
  /** Turns derive mode on: `/hooks/<endpoint>/<key>` has a secret of its own. */
  readonly masterSecret?: string;
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
  const [path = ''] = url.split('?', 1);
  const [empty, endpoint = '', key, ...rest] = path.replace(/\/$/, '').split('/');
  if (empty !== '' || rest.length > 0 || !namePattern.test(endpoint)) return undefined;
  if (key === undefined) return { endpoint };
  return namePattern.test(key) ? { endpoint, key } : undefined;
}

/** The secrets that may have signed a delivery to this address; undefined when there is no such address. */
export function findSecrets(endpoints: Endpoints, address: Address): readonly string[] | undefined {
  const endpoint = endpoints.byName.get(address.endpoint);
  if (endpoint === undefined) return undefined;
  if (address.key === undefined) return endpoint.secrets.length > 0 ? endpoint.secrets : undefined;
  if (endpoints.masterSecret === undefined) return undefined;
  return [deriveSecret(endpoints.masterSecret, address.endpoint, address.key)];
}
