import { describe, expect, it } from 'vitest';

import type { SearchPage } from './client.ts';
import { createClient } from './create-client.ts';
import type { SearchInput } from './inputs.ts';
import { catchFault } from './testing/catch-fault.ts';
import { createFakeService } from './testing/fake-service.ts';

/** A service with these answers by page, and what it was asked. */
function answerPages(answers: (page: number) => unknown) {
  const { connection, asked } = createFakeService((query) => answers(Number(query.get('page') ?? 0)));
  const methods = createClient(connection).meetings;
  return { search: (input?: SearchInput) => methods.search(input), asked };
}

async function collectPages(pages: AsyncIterable<SearchPage>): Promise<SearchPage[]> {
  const all: SearchPage[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

async function collect(pages: AsyncIterable<SearchPage>): Promise<string[][]> {
  return (await collectPages(pages)).map(({ items }) => items.map(({ id }) => id));
}

const meetings = (from: number, count: number): { id: number }[] =>
  Array.from({ length: count }, (_entry, index) => ({ id: from + index }));

const path = '/api/workspaces/active/meetings/search';

describe('meetings.search', () => {
  it('asks for the second page by its number alone', async () => {
    const { search, asked } = answerPages((page) => ({ total: 2, followups: meetings(page, 1) }));
    expect(await collect(search())).toEqual([['0'], ['1']]);
    expect(asked).toEqual([`GET ${path}`, `GET ${path}?page=1`]);
  });

  it.each([
    [undefined, 'an end'],
    [9, 'an error'],
  ])('takes a refused second page with a total of %s for %s', async (total, _end) => {
    const asked: string[] = [];
    const { connection } = createFakeService(() => '', {
      fetch: async (input) => {
        if (!(input instanceof URL)) throw new TypeError('the client asks by URL');
        const { search } = input;
        asked.push(search);
        return search === ''
          ? Response.json({ total, followups: meetings(0, 2) })
          : Response.json({ message: 'unknown parameter page' }, { status: 400 });
      },
    });
    const pages = collectPages(createClient(connection).meetings.search());
    if (total !== undefined) expect(await catchFault(pages)).toMatchObject({ code: 'bad_request' });
    else {
      expect((await pages).map(({ items, warnings }) => [items.length, warnings])).toEqual([
        [2, []],
        [0, ['the service takes no page: if there are meetings beyond the first one, they are missing']],
      ]);
    }
    expect(asked).toEqual(['', '?page=1']);
  });

  it('sends every parameter that was asked for, and no other', async () => {
    const { search, asked } = answerPages(() => ({ total: 0, followups: [] }));
    const everything: SearchInput = {
      q: 'a & b',
      tagIds: ['t1', 't2'],
      sources: ['zoom', 'gmeet'],
      dateFrom: '2026-07-01',
      dateTo: '2026-07-31',
      authors: ['ann'],
      scope: 'mine',
      page: 3,
      perPage: 10,
    };
    expect(await collect(search(everything))).toEqual([[]]);
    expect(await collect(search())).toEqual([[]]);
    expect(asked).toEqual([
      `GET ${path}?q=a+%26+b&tagIds=t1%2Ct2&sources=zoom%2Cgmeet&dateFrom=2026-07-01&dateTo=2026-07-31&authors=ann&scope=mine&page=3&perPage=10`,
      `GET ${path}`,
    ]);
  });

  it('asks for a page only when it is wanted', async () => {
    const { search, asked } = answerPages((page) => ({ followups: meetings(page * 2, 2) }));
    const pages = search({ perPage: 2 })[Symbol.asyncIterator]();
    expect(asked).toHaveLength(0);
    await pages.next();
    expect(asked).toHaveLength(1);
    await pages.next();
    expect(asked).toHaveLength(2);
    await pages.return?.();
    expect(await pages.next()).toEqual({ done: true, value: undefined });
    expect(asked).toHaveLength(2);
  });

  it.each<[string, (page: number) => unknown, string[][]]>([
    ['a short page', (page) => ({ followups: meetings(page * 2, page === 1 ? 1 : 2) }), [['0', '1'], ['2']]],
    ['an empty page', (page) => ({ followups: meetings(page * 2, page === 1 ? 0 : 2) }), [['0', '1']]],
    [
      'the total',
      (page) => ({ total: 4, followups: meetings(page * 2, 2) }),
      [
        ['0', '1'],
        ['2', '3'],
      ],
    ],
    ['a page that comes again', () => ({ followups: meetings(0, 2) }), [['0', '1']]],
    ['the same page with a wrong total', () => ({ total: 99, followups: meetings(0, 2) }), [['0', '1']]],
    [
      'the total of a service with smaller pages',
      (page) => ({ total: 3, followups: meetings(page, 1) }),
      [['0'], ['1'], ['2']],
    ],
    [
      'a short page of a service with smaller pages and no total',
      (page) => ({ followups: meetings(page, page < 2 ? 1 : 0) }),
      [['0'], ['1']],
    ],
    ['a total of nothing', () => ({ total: 0 }), [[]]],
    ['no body', () => '', [[]]],
  ])('ends at %s', async (_name, answers, ids) => {
    const { search, asked } = answerPages(answers);
    expect(await collect(search({ perPage: 2 }))).toEqual(ids);
    expect(asked.length).toBeLessThanOrEqual(ids.length + 1);
  });

  it('reads meetings in every shape', async () => {
    const shapes = [
      {
        id: 1,
        name: 'Sync',
        date: '2026-07-07T12:00:00Z',
        source: 'zoom',
        tags: ['a', { name: 'b' }, { id: 7 }, 3, null],
      },
      { meeting_id: 'm2', title: 'Daily', started_at: 1_783_425_600 },
      { meetingId: 'm3', date: 'yesterday' },
      { name: 'without an id' },
      'no object',
      null,
    ];
    const { search } = answerPages(() => ({ data: { results: shapes, total: '3' } }));
    const [page] = await collectPages(search());
    expect(page?.total).toBe(3);
    expect(page?.warnings).toEqual(['3 entries of the list could not be read']);
    expect(page?.items).toEqual([
      {
        id: '1',
        title: 'Sync',
        startedAt: '2026-07-07T12:00:00.000Z',
        source: 'zoom',
        tags: ['a', 'b', '7', '3'],
        raw: shapes[0],
      },
      { id: 'm2', title: 'Daily', startedAt: '2026-07-07T12:00:00.000Z', tags: [], raw: shapes[1] },
      { id: 'm3', title: 'Untitled meeting', tags: [], raw: shapes[2] },
    ]);
    expect(Object.keys(page ?? {})).toEqual(['page', 'items', 'total', 'warnings', 'raw']);
  });

  it.each([
    ['<html>maintenance</html>', 'the answer is a web page'],
    ['{"message":"be back soon"}', 'the answer holds no list of meetings'],
    ['"text"', 'the answer holds no list of meetings'],
    ['7', 'the answer holds no list of meetings'],
  ])('takes %s for unreadable, not for an empty account', async (body, detail) => {
    const { search } = answerPages(() => body);
    expect(await catchFault(collect(search()))).toMatchObject({
      code: 'unreadable',
      status: 200,
      detail,
    });
  });

  it('leaves out a meeting whose id JSON could not hold', async () => {
    const { search } = answerPages(() => '{"followups":[{"id":9007199254740993},{"id":9007199254740991}]}');
    expect(await collect(search())).toEqual([['9007199254740991']]);
  });

  it('refuses a wrong parameter when the first page is asked for', async () => {
    const { search, asked } = answerPages(() => []);
    const error = await catchFault(collect(search({ dateFrom: '7 July', perPage: 0 })));
    expect(error).toMatchObject({ code: 'bad_request' });
    expect(error.message).toContain('dateFrom must be a date such as 2026-07-07');
    expect(error.message).toContain('perPage must be a whole number of at least 1');
    expect(asked).toEqual([]);
  });
});
