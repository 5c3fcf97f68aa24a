import type { OperationId } from '@aftermeet/contract';

import { players, type Player } from './play-operation.ts';

const patterns = Object.values<Player<OperationId>>(players).map(({ operation: { id, method, path } }) => ({
  id,
  method,
  // As Express matches a route: in any case, with or without a slash at its end.
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
}));

/** The operation that a request means, whatever else is wrong with it. `path` is still percent-encoded. */
export function nameOperation(method: string, path: string): OperationId | undefined {
  return patterns.find((known) => known.method === method && known.pattern.test(path))?.id;
}
