import { deriveSecret, isCapabilityKey } from '@aftermeet/webhooks';

/** One address that receives deliveries. */
export interface Endpoint {
  /** All secrets that are valid now: during a rotation the new one and the old one. */
  readonly secrets: readonly string[];
  /** Accepts deliveries without a signature, at a derived capability address only. */
  readonly unsigned?: 'accept';
}

export interface Endpoints {
  readonly byName: ReadonlyMap<string, Endpoint>;
  /** Turns derive mode on: each `/hooks/<endpoint>/<key>` has a secret of its own. */
  readonly masterSecret?: string | undefined;
  /**
   * Endpoints that were removed on purpose, and until when (ms since 1970) their deliveries get 503: the service repeats
   * those, so a mistake can be put right. After it they get 404.
   */
  readonly removed?: ReadonlyMap<string, number> | undefined;
}

export interface Address {
  readonly endpoint: string;
  readonly key?: string;
}

/** Endpoints that can be replaced while deliveries arrive, so that secrets are rotated without a restart. */
export interface ReloadableEndpoints {
  /** For the receiver, which reads it at each delivery. */
  readonly endpoints: Endpoints;
  /** All at once, from the next delivery on. */
  replace(next: Endpoints): void;
}

export function createReloadableEndpoints(initial: Endpoints): ReloadableEndpoints {
  let current = initial;
  return {
    endpoints: {
      get byName(): ReadonlyMap<string, Endpoint> {
        return current.byName;
      },
      get masterSecret(): string | undefined {
        return current.masterSecret;
      },
      get removed(): ReadonlyMap<string, number> | undefined {
        return current.removed;
      },
    },
    replace(next) {
      current = next;
    },
  };
}

/** Names of endpoints and keys need no escaping in an address. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

export function isEndpointName(text: string): boolean {
  return namePattern.test(text);
}

/**
 * Parses `/<endpoint>[/<key>]`. Ignores a query string and a trailing slash, because the service drops an event that
 * gets 404. Returns undefined for any other address.
 */
export function parseAddress(url: string): Address | undefined {
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

/** Whether the endpoint was removed not long ago. */
export function isJustRemoved({ removed }: Endpoints, { endpoint }: Address, nowMs: number): boolean {
  const untilMs = removed?.get(endpoint);
  return untilMs !== undefined && nowMs < untilMs;
}

/** Whether an unsigned delivery is accepted: the endpoint must say so, and the address must be a capability address. */
export function acceptsUnsigned(endpoints: Endpoints, { endpoint, key }: Address): boolean {
  return (
    key !== undefined &&
    endpoints.masterSecret !== undefined &&
    endpoints.byName.get(endpoint)?.unsigned === 'accept' &&
    isCapabilityKey(endpoints.masterSecret, endpoint, key)
  );
}
