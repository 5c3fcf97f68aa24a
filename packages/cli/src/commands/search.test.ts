import type { SearchPage } from '@aftermeet/client';
import { expect, it } from 'vitest';

import { takeMeetings } from './search.ts';

/** A service with 105 meetings, whose pages always have 50. */
async function* pages(): AsyncGenerator<SearchPage, void, undefined> {
  for (const [page, count] of [50, 50, 5].entries()) {
    const items = Array.from({ length: count }, (_entry, index) => ({
      id: `m_${page * 50 + index}`,
      title: 'x',
      tags: [],
      raw: undefined,
    }));
    yield { page, total: 105, items, warnings: [], raw: undefined };
  }
}

it.each([
  [60, undefined, { isMore: true, total: 105 }],
  [60, 50, { isMore: true, total: 105 }],
  [105, undefined, { isMore: false, total: 105 }],
  [106, undefined, { isMore: false, total: 105 }],
])('of 105 meetings in pages of 50, with a limit of %d and pages of %s', async (limit, perPage, rest) => {
  const taken: string[] = [];
  expect(await takeMeetings(pages(), { limit, perPage }, ({ id }) => taken.push(id))).toEqual(rest);
  expect(taken).toHaveLength(Math.min(limit, 105));
});
