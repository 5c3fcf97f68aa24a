import { expect, it } from 'vitest';

import { writeRows } from './write-rows.ts';

it.each([
  [[{ at: 1, text: 'a"\n\u{1F600}' }], '[{"at":1,"text":"a\\"\\n\u{1F600}"}]'],
  [[{ text: 'a\0b' }, { text: '\uD800' }], '[{"text":"a\u{FFFD}b"},{"text":"\u{FFFD}"}]'],
  [[{ text: '\uDC00\u0001' }], '[{"text":"\u{FFFD}\\u0001"}]'],
  [[{ text: String.raw`\u0000` }], String.raw`[{"text":"\\u0000"}]`],
])('writes %j', (rows, written) => {
  expect(writeRows(rows)).toBe(written);
});
