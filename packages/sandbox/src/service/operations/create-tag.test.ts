import { expect, it } from 'vitest';

import { createIdMaker } from '../create-id-maker.ts';
import { createKnobStore } from '../knobs/knob-store.ts';
import { noJournal } from '../state/journal.ts';
import { createTagStore } from '../tags/tag-store.ts';
import { createTag } from './create-tag.ts';

it('makes a thousand tags and no more, until they are forgotten', () => {
  const world = { tags: createTagStore(noJournal), knobs: createKnobStore(), makeId: createIdMaker(7) };
  for (let number = 1; number <= 1000; number += 1) {
    expect(createTag(world, { name: `Tag ${String(number)}` })).toMatchObject({ status: 201 });
  }
  expect(createTag(world, { name: 'One more' })).toEqual({
    status: 400,
    json: {
      code: 'TOO_MANY_TAGS',
      message: 'The sandbox keeps at most 1000 tags: reset it to make others.',
    },
  });
  expect(createTag(world, { name: 'tag 7' })).toMatchObject({ status: 409 });
  expect(world.tags.list()).toHaveLength(1000);
  world.tags.clear();
  expect(createTag(world, { name: 'Tag 7' })).toMatchObject({ status: 201 });
});
