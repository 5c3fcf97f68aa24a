import { expect, it } from 'vitest';

import { simplifyMessage } from './simplify-message.ts';

it('never cuts a text inside of an escape', () => {
  const { text, blocks } = simplifyMessage({ text: `${'a'.repeat(2990)}${'&amp;'.repeat(5)}`, blocks: [] });
  expect(text).toBe(`${'a'.repeat(2990)}&amp;…`);
  expect(blocks).toEqual([
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [{ type: 'text', text: `${'a'.repeat(2990)}&&&&&` }],
        },
      ],
    },
  ]);
});
