import type { OperationInput, operations } from '@aftermeet/contract';

import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.tags.list>;

/** One page of the tags, oldest first, never more than the knob `tagPageSize` says. `nextCursor` is null on the last page; what a cursor looks like is the service's own affair. */
export function listTags(world: SandboxWorld, input: Input): ServiceAnswer {
  const tags = world.tags.list();
  const begin = input.cursor === undefined ? 0 : tags.findIndex(({ id }) => id === input.cursor);
  if (begin === -1) {
    const message = 'cursor must be the nextCursor of an earlier page, as it came.';
    return answerError(400, 'INVALID_REQUEST', message, 'cursor');
  }
  const { tagPageSize } = world.knobs.read();
  const end = begin + Math.min(input.perPage ?? tagPageSize, tagPageSize);
  return answerJson(200, { tags: tags.slice(begin, end), nextCursor: tags[end]?.id ?? null });
}
