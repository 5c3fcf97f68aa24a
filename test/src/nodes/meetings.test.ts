import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readDay } from '../../../nodes/nodes/Aftermeet/actions/fields.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext, type NodeContextOptions } from './support/n8n-context.ts';
import { startScriptedService } from './support/scripted-service.ts';
import { shareSandbox } from './support/serve.ts';

// How pages end, and the shapes that meetings come in, are tested with the client.

const search = findOperation('meeting', 'search');

const nowMs = Date.parse('2026-07-07T12:00:00Z');
const path = '/api/workspaces/active/meetings/search';

async function run(options: NodeContextOptions) {
  const context = createNodeContext({ description: search.description, ...options });
  const items = await search.execute(context.execute, 0);
  return { items: items.map(({ json }) => json), urls: context.requests.map(({ url }) => new URL(url)) };
}

describe('Get many meetings, of the sandbox', () => {
  const shared = shareSandbox({ clock: () => nowMs, meetings: 120, days: 60 });

  it.each([
    [{ returnAll: true }, 120, ['50', '50', '50']],
    [{ returnAll: false, limit: 120 }, 120, ['50', '50', '50']],
    [{}, 50, ['50']],
    [{ limit: 3 }, 3, ['3']],
    [{ limit: 51 }, 51, ['50', '50']],
    [{ limit: '2' }, 2, ['2']],
  ])('gives with %j %i meetings, each once', async (parameters, count, perPages) => {
    const { items, urls } = await run({ baseUrl: shared.url, parameters });
    expect(items).toHaveLength(count);
    expect(new Set(items.map(({ meeting_id: id }) => id)).size).toBe(count);
    expect(urls.map(({ searchParams }) => searchParams.get('perPage'))).toEqual(perPages);
    expect(urls.map(({ searchParams }) => searchParams.get('page'))).toEqual(
      perPages.map((_, page) => (page === 0 ? null : String(page))),
    );
  });

  it('gives each meeting with the same few fields, or as the service has it', async () => {
    const simple = await run({ baseUrl: shared.url, parameters: { limit: 1 } });
    expect(simple.items).toHaveLength(1);
    const names = ['meeting_id', 'title', 'started_at', 'source', 'tags', 'phase', 'status'];
    expect(Object.keys(simple.items[0] ?? {})).toEqual(names);
    expect(simple.items[0]).toMatchObject({ phase: 'ready', status: 'new' });
    const raw = await run({ baseUrl: shared.url, parameters: { limit: 1, output: 'raw' } });
    expect(raw.items[0]).toMatchObject({
      id: simple.items[0]?.['meeting_id'],
      name: simple.items[0]?.['title'],
    });
  });

  it.each([0, -1, 1.5, 'many', null])('refuses the limit %j', async (limit) => {
    await expect(run({ baseUrl: shared.url, parameters: { limit } })).rejects.toThrow(
      'Limit must be a whole number of at least 1',
    );
  });
});

describe('Get many meetings, of other services', () => {
  it('sends every filter, and a day for each date', async () => {
    const service = await startScriptedService(() => ({ body: { total: 0, followups: [] } }));
    const filters = {
      q: 'a & b',
      tagIds: { __rl: true, mode: 'id', value: 't1, t2' },
      sources: ['zoom', 'gmeet'],
      dateFrom: '2026-07-01T00:00:00',
      dateTo: '2026-07-31T22:30:00Z',
      authors: ' ann ,, ben,',
    };
    const { items } = await run({ baseUrl: service.url, timeZone: 'Europe/Berlin', parameters: { filters } });
    expect(items).toEqual([]);
    expect(service.asked).toEqual([
      `GET ${path}?q=a+%26+b&tagIds=t1%2Ct2&sources=zoom%2Cgmeet&dateFrom=2026-07-01&dateTo=2026-08-01&authors=ann%2Cben&perPage=50`,
    ]);
  });

  it('keeps those of a status, over as many pages as it takes', async () => {
    const words = ['processed', 'failed', 'Processing', undefined, 'failed', 'odd', 'cancelled', 'failed'];
    const word = 'failed';
    const all = words.map((status, index) => ({ id: `m${index}`, name: word, meeting: word, status }));
    const service = await startScriptedService((query) => {
      const page = Number(query.get('page'));
      return { body: { total: all.length, followups: all.slice(page * 2, page * 2 + 2) } };
    });
    const find = async (phases: unknown, more: object = { returnAll: true }) => {
      const { items } = await run({ baseUrl: service.url, parameters: { ...more, filters: { phases } } });
      return items.map(({ meeting_id: id }) => id);
    };
    expect(await find(['failed'])).toEqual(['m1', 'm4', 'm7']);
    expect(await find(' Failed, cancelled')).toEqual(['m1', 'm4', 'm6', 'm7']);
    expect(await find(['failed'], { limit: 2 })).toEqual(['m1', 'm4']);
    expect(service.asked.at(-1)).toMatch(/page=2&perPage=50$/);
    await expect(find(['lost'])).rejects.toMatchObject({ message: 'Status has a word that is not known' });
  });

  it('sends no filter that is empty', async () => {
    const service = await startScriptedService(() => ({ body: [] }));
    const tagIds = { __rl: true, mode: 'list', value: '' };
    const filters = { q: '', tagIds, sources: [], dateFrom: '', authors: ' , ' };
    await run({ baseUrl: service.url, parameters: { filters } });
    await run({ baseUrl: service.url, parameters: { filters: { dateTo: null, q: undefined } } });
    expect(service.asked).toEqual([`GET ${path}?perPage=50`, `GET ${path}?perPage=50`]);
  });

  it('gives each once where a new meeting pushes one onto the next page, and every one of a series', async () => {
    const series = ['06', '05'].map((day) => ({ id: 's', name: 'Daily', date: `2026-07-${day}T09:00:00Z` }));
    const pages = [
      [{ id: '0' }, ...series],
      [...series.slice(1), { id: 'u', name: 'No date' }, { id: 'u', name: 'No date, again' }],
      [{ id: 'u', name: 'No date, again' }],
    ];
    const service = await startScriptedService((query) => ({
      body: { followups: pages[Number(query.get('page'))] ?? [] },
    }));
    const { items } = await run({ baseUrl: service.url, parameters: { returnAll: true } });
    expect(items.map(({ meeting_id: id, title, started_at: at }) => [id, title, at])).toEqual([
      ['0', expect.anything(), null],
      ['s', 'Daily', '2026-07-06T09:00:00.000Z'],
      ['s', 'Daily', '2026-07-05T09:00:00.000Z'],
      ['u', 'No date', null],
      ['u', 'No date, again', null],
    ]);
  });

  it('gives up a search that does not end', async () => {
    const service = await startScriptedService((query) => ({
      body: { total: 1e9, followups: [{ id: Number(query.get('page')) }] },
    }));
    await expect(run({ baseUrl: service.url, parameters: { returnAll: true } })).rejects.toThrow(
      'the search did not end within 1000 pages',
    );
    expect(service.asked).toHaveLength(1000);
  });

  it('has null for what the service does not say, and leaves out what has no id', async () => {
    const bare = { meeting_id: 'm2', title: 'Daily' };
    const service = await startScriptedService(() => ({ body: [bare, { name: 'without an id' }, null] }));
    const { items } = await run({ baseUrl: service.url, parameters: {} });
    const unknown = { started_at: null, source: null, phase: null, status: null };
    expect(items).toEqual([{ ...bare, tags: [], ...unknown }]);
    const raw = await run({ baseUrl: service.url, parameters: { output: 'raw' } });
    expect(raw.items).toEqual([bare]);
  });
});

describe('the day of a date-time parameter', () => {
  const luxonMoment = { toISO: () => '2026-07-07T23:30:00.000-04:00' };
  it.each<[unknown, string, unknown]>([
    ['2026-07-07', 'Asia/Tokyo', '2026-07-07'],
    ['2026-07-07T23:30:00', 'Asia/Tokyo', '2026-07-07'],
    ['2026-07-07 23:30', 'Asia/Tokyo', '2026-07-07'],
    ['2026-07-07T23:30:00Z', 'UTC', '2026-07-07'],
    ['2026-07-07T23:30:00Z', 'Europe/Berlin', '2026-07-08'],
    ['2026-07-07T23:30:00.000+02:00', 'America/New_York', '2026-07-07'],
    ['2026-07-07T00:30:00+02:00', 'America/New_York', '2026-07-06'],
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29'],
    [new Date('2026-07-07T23:30:00Z'), 'Asia/Tokyo', '2026-07-08'],
    [luxonMoment, 'UTC', '2026-07-08'],
    ['tomorrow', 'UTC', 'tomorrow'],
    ['2026-07-07T25:00:00Z', 'UTC', '2026-07-07T25:00:00Z'],
    ['2026-07-07 evil', 'UTC', '2026-07-07 evil'],
    [20260707, 'UTC', 20260707],
    [null, 'UTC', null],
  ])('of %j in %s is %j', (value, timeZone, day) => {
    expect(readDay(value, timeZone)).toBe(day);
  });

  it('of a text never throws, and of a moment is its day in UTC', () => {
    fc.assert(fc.property(fc.anything(), (value) => void readDay(value, 'Europe/Berlin')));
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(readDay(date, 'UTC')).toBe(date.toISOString().slice(0, 10));
        },
      ),
    );
  });
});
