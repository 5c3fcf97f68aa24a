import { type IExecuteFunctions, type INodeProperties, NodeOperationError } from 'n8n-workflow';

/** How many results: all of them, or so many at most. */
export const limitParameters: readonly INodeProperties[] = [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { returnAll: [false] } },
  },
];

/** Infinity for all. Throws for a limit that is no whole number of at least 1, which an expression may give. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
  if (context.getNodeParameter('returnAll', itemIndex, false)) return Infinity;
  const given: unknown = context.getNodeParameter('limit', itemIndex, 50);
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new NodeOperationError(context.getNode(), 'Limit must be a whole number of at least 1', {
    itemIndex,
  });
}

/** At most so many; asks for no more than that. */
export async function takeUpTo<T>(found: AsyncIterable<T>, limit: number): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const one of found) {
    taken.push(one);
    if (taken.length >= limit) break;
  }
  return taken;
}
