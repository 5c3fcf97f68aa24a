import type { OperationInput, operations } from '@aftermeet/contract';

import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';
import type { Tag } from '../tags/tag-store.ts';

type Input = OperationInput<typeof operations.tags.create>;

const keptTags = 1000;

/**
 * Makes a tag by the observed rules: a short name, unique without case, and one of the known colours (default: the
 * first of them). That a name is not blank is assumed. The sandbox's own limit is refused, because a tag that vanishes
 * from the catalog would surprise.
 */
export function createTag(
  world: Pick<SandboxWorld, 'tags' | 'makeId' | 'knobs'>,
  input: Input,
): ServiceAnswer {
  const { tagColors, tagNameMaxLength } = world.knobs.read();
  const [firstColor = 'blue'] = tagColors === 'any' ? [] : tagColors;
  const { name, color = firstColor } = input;
  if (name.trim() === '') return answerError(400, 'INVALID_REQUEST', 'name must not be blank.', 'name');
  if (Array.from(name).length > tagNameMaxLength) {
    const message = `name must have at most ${String(tagNameMaxLength)} characters.`;
    return answerError(400, 'INVALID_REQUEST', message, 'name');
  }
  if (tagColors !== 'any' && !tagColors.includes(color)) {
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
  world.tags.put(tag);
  return answerJson(201, { tag, created: true });
}
