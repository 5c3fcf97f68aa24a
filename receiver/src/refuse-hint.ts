import type { IncomingHttpHeaders } from 'node:http';

import { type Address, type Endpoints, takesHints } from './endpoints.ts';
import type { ReceivedHeaderNames } from './examine-delivery.ts';
import type { Refused } from './outcome.ts';
import { createPeerLimit, type PeerLimitOptions } from './peer-limit.ts';

/** An address is for a meeting, or for one customer's uploads. */
const DEFAULT_HINT_LIMIT: PeerLimitOptions = { burst: 200, perSecond: 1 };

/** Undefined when there is nothing against it. */
export type RefuseHint = (headers: IncomingHttpHeaders, address: Address) => Refused | undefined;

/**
 * Bounds what can be stored through one capability address, whoever sends it: such an address may get into strange
 * hands, and nothing about an unsigned delivery tells those from the service. The address pays and not the peer,
 * because a leaked one has many peers. It pays before its body is read.
 */
export function createHintLimit(options: {
  readonly endpoints: Endpoints;
  readonly headerNames: ReceivedHeaderNames;
  readonly limit: PeerLimitOptions | undefined;
  readonly nowMs: () => number;
}): RefuseHint {
  const { endpoints, headerNames: names, nowMs } = options;
  const limit = createPeerLimit(options.limit ?? DEFAULT_HINT_LIMIT);
  return (headers, address) => {
    if (headers[names.signature] !== undefined || headers[names.timestamp] !== undefined) return undefined;
    if (!takesHints(endpoints, address)) return undefined;
    const turn = limit.take(`${address.endpoint}/${address.key ?? ''}`, nowMs());
    if (turn.ok) return undefined;
    return {
      kind: 'too_many',
      cause: 'unsigned deliveries at one address',
      retryAfterSeconds: turn.retryAfterSeconds,
    };
  };
}
