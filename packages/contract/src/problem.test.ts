import { expect, it } from 'vitest';

import { suggestName } from './problem.ts';

it.each([
  ['another case', 'tagcolors', 'tagColors? (one of tagColors, sources)'],
  ['a letter less', 'source', 'sources? (one of tagColors, sources)'],
  ['another word', 'somethingElse', 'one of tagColors, sources'],
  ['a book', 'x'.repeat(100_000), 'one of tagColors, sources'],
])('suggests for %s', (_name, written, suggestion) => {
  expect(suggestName(written, ['tagColors', 'sources'])).toBe(suggestion);
});
