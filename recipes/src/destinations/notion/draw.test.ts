import { expect, it } from 'vitest';

import { writeNotionPage } from './draw.ts';
import { makeBlock, type NotionText } from './page.ts';

const text = (content: string): readonly NotionText[] => [{ type: 'text', text: { content } }];

it('writes a page as plain text: properties, marks, rows of a table, and what is inside a block indented', () => {
  const row = makeBlock('table_row', { cells: [text('Kim'), text('Friday')] });
  const inner = makeBlock('paragraph', { rich_text: text('Maya\nThanks for coming.') });
  const page = writeNotionPage({
    kind: 'meeting',
    title: 'Weekly sync',
    fields: { source: { kind: 'text', text: 'Zoom' } },
    mapping: {},
    blocks: [
      makeBlock('heading_2', { rich_text: text('Tasks') }),
      makeBlock('to_do', { rich_text: text('Write it'), checked: true }),
      makeBlock('bulleted_list_item', { rich_text: text('Or not') }),
      makeBlock('divider', {}),
      makeBlock('table', { table_width: 2, children: [row] }),
      makeBlock('toggle', { rich_text: text('Transcript'), children: [inner] }),
    ],
  });
  expect(page.split('\n')).toEqual([
    'Weekly sync',
    'source: Zoom',
    '',
    '## Tasks',
    '☑ Write it',
    '• Or not',
    '---',
    'Kim | Friday',
    'Transcript',
    '  Maya',
    '  Thanks for coming.',
  ]);
});
