import { type OperationInput, type operations, tagColors } from '@aftermeet/contract';

import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';
import type { Tag } from '../tags/tag-store.ts';

type Input = OperationInput<typeof operations.tags.create>;

/** As observed. */
const tagNameMaxLength = 24;
const keptTags = 1000;

/**
 * Makes a tag by the observed rules: a name of at most 24 characters, unique without case, and one of eight colours
 * (default blue). The sandbox's own limit is refused, because a tag that vanishes from the catalog would surprise.
 */
export function createTag(world: Pick<SandboxWorld, 'tags' | 'makeId'>, input: Input): ServiceAnswer {
  const { name, color = 'blue' } = input;
  if (Array.from(name).length > tagNameMaxLength) {
    const message = `name must have at most ${String(tagNameMaxLength)} characters.`;
    return answerError(400, 'INVALID_REQUEST', message, 'name');
  }
  if (!tagColors.some((known) => known === color)) {
    return answerError(400, 'INVALID_REQUEST', `color must be one of ${tagColors.join(', ')}.`, 'color');
  }
  if (world.tags.findByName(name) !== undefined) {
    return answerError(409, 'TAG_NAME_EXISTS', 'A tag of the workspace has this name already.', 'name');
  }
  if (world.tags.count() >= keptTags) {
    const message = `The sandbox keeps at most ${String(keptTags)} tags: reset it to make others.`;
    return answerError(400, 'TOO_MANY_TAGS', message);
  }
  const tag: Tag = { id: world.makeId(), name, color };
  world.tags.add(tag);
  return answerJson(201, { tag, created: true });
}
