import type { Endpoint, Endpoints } from './endpoints.ts';

/** Endpoints that can be exchanged while deliveries arrive. */
export interface EndpointBox {
  /** Give this to the receiver: it reads it anew at each delivery. */
  readonly endpoints: Endpoints;
  /** From the next delivery on these hold, all of them at once. */
  replace(next: Endpoints): void;
}

/** Holds the endpoints of a receiver, so that secrets are rotated without a restart. */
export function createEndpointBox(initial: Endpoints): EndpointBox {
  let current = initial;
  return {
    endpoints: {
      get byName(): ReadonlyMap<string, Endpoint> {
        return current.byName;
      },
      get masterSecret(): string | undefined {
        return current.masterSecret;
      },
    },
    replace(next) {
      current = next;
    },
  };
}
