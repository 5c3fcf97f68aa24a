import { expect, it } from 'vitest';

import { type NotionBlock, renderNotionBlocks } from './notion-blocks.ts';

const words = (text: string, more: object = {}) => [{ plain_text: text, ...more }];
const block = (type: string, content: NotionBlock['content'], children: readonly NotionBlock[] = []) => ({
  type,
  content,
  children,
});
const row = (text: string) => block('table_row', { cells: [words(text)] });

it('draws what pages hold: escaped, lists of neighbours, what is folded, tables', () => {
  const { text } = renderNotionBlocks([
    block('paragraph', { rich_text: words('<img src=x>', { href: 'javascript:alert(1)' }) }),
    block('to_do', { rich_text: words('Call Tom'), checked: true }),
    block('to_do', { rich_text: words('Call Ann') }),
    block('toggle', { rich_text: words('more') }, [block('quote', { rich_text: words('deep') })]),
    block('callout', { rich_text: words('Look', { annotations: { bold: true } }), icon: { emoji: '💡' } }),
    block('table', { has_column_header: true }, [row('Head'), row('Cell')]),
    block('child_database', {}),
  ]);
  expect(text).toContain('&lt;img src=x&gt;');
  expect(text).not.toContain('javascript');
  expect(text.match(/<ul/g)).toHaveLength(1);
  expect(text.match(/<li>/g)).toHaveLength(2);
  for (const part of [
    '☑ Call Tom',
    '☐ Call Ann',
    'deep',
    '💡 <strong>Look',
    '<th>Head</th>',
    '<td>Cell</td>',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).toContain('Block child database');
});
