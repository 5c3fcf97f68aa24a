import { afterEach, describe, expect, it } from 'vitest';

import {
  callNotion,
  pageOf,
  paragraph,
  startTestNotion,
  stopTestNotions,
  toggle,
  words,
} from '../../testing/notion.ts';

afterEach(stopTestNotions);

const read = async (url: string) => (await fetch(url)).text();

describe('the page', () => {
  it('shows pages to people, escaped, and forgets them on reset', async () => {
    const { client, notion, sourceId, url } = await startTestNotion();
    const children = [
      paragraph('<img src=x onerror=alert(1)>'),
      { to_do: { rich_text: words('Call Tom'), checked: true } },
    ];
    await client.pages.create(pageOf(sourceId, { children }));
    const response = await fetch(url);
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x');
    expect(page).toContain('☑ Call Tom');
    notion.reset();
    expect(await read(url)).toContain('No page yet');
    expect((await callNotion(url, 'GET', '/_sandbox/received')).body).toEqual({ received: [] });
  });

  it('shows properties, nested blocks, tables, and what is in the trash', async () => {
    const { client, sourceId, url } = await startTestNotion();
    const properties = {
      Name: { title: words('Launch') },
      Source: { select: { name: 'zoom' } },
      'Report URL': { url: 'https://example.com/r' },
    };
    const children = [
      toggle(toggle(paragraph('deep'))),
      { callout: { rich_text: words('Look'), icon: { emoji: '💡' } } },
      {
        table: {
          table_width: 1,
          has_column_header: true,
          children: [{ table_row: { cells: [words('Head')] } }, { table_row: { cells: [words('Cell')] } }],
        },
      },
    ];
    const { id } = await client.pages.create(pageOf(sourceId, { properties, children }));
    const page = await read(url);
    for (const part of [
      '<span class="pill">zoom</span>',
      'deep',
      '💡 Look',
      '<th>Head</th>',
      '<td>Cell</td>',
    ]) {
      expect(page).toContain(part);
    }
    expect(page).toContain('href="https://example.com/r"');
    expect(page).not.toContain('in the trash');
    await client.pages.update({ page_id: id, in_trash: true });
    expect((await read(url)).split('in the trash')).toHaveLength(2);
  });
});
