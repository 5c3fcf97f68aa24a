import type { FoundMeeting } from '@aftermeet/client';
import type { KnobChanges } from '@aftermeet/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type ShapeHouse, startShapeHouse } from './shape-house.ts';

let house: ShapeHouse;
const ids: string[] = [];
let observed: readonly Omit<FoundMeeting, 'raw'>[];

beforeAll(async () => {
  house = await startShapeHouse();
  for (let number = 0; number < 5; number += 1) ids.unshift(await house.hold());
  observed = await search({});
});

afterEach(() => house.sandbox.knobs.reset());

afterAll(() => house.close());

const withoutRaw = <T extends { readonly raw: unknown }>({ raw: _raw, ...rest }: T) => rest;

async function search(knobs: KnobChanges, input: object = {}): Promise<readonly Omit<FoundMeeting, 'raw'>[]> {
  house.sandbox.knobs.turn(knobs);
  const found: FoundMeeting[] = [];
  for await (const page of house.client.meetings.search(input)) found.push(...page.meetings);
  return found.map(withoutRaw);
}

describe('a search', () => {
  it('finds everything in the observed shape', () => {
    expect(observed.map(({ id }) => id)).toEqual(ids);
    expect(observed[0]).toMatchObject({ title: 'Plans 5', startedAt: '2026-07-07T12:00:00.000Z' });
  });

  // The fields are read the same way in every shape.
  it.each([
    { searchShape: 'followups', meetingFields: 'specified' },
    { searchShape: 'meetings', meetingFields: 'observed' },
    { searchShape: 'items', meetingFields: 'specified' },
    { searchShape: 'data', meetingFields: 'observed' },
    { searchShape: 'bare', meetingFields: 'specified' },
  ] as const)(
    'finds the same in $searchShape with the $meetingFields fields, page by page',
    async (knobs) => {
      expect(await search({ ...knobs, searchPageSize: 2, extraFields: true })).toEqual(observed);
      expect(await search(knobs, { q: 'no such title' })).toEqual([]);
    },
  );

  it.each(['followups', 'bare'] as const)('ends at a last page that is full, in %s', async (searchShape) => {
    expect(await search({ searchShape, searchPageSize: 5 })).toEqual(observed);
  });

  it('ends at a service that knows no pages', async () => {
    const knobs = { unknownFields: 'ignore', searchParameters: { page: 'from', perPage: 'count' } } as const;
    expect((await search({ ...knobs, searchPageSize: 5 })).map(({ id }) => id)).toEqual(ids);
    expect((await search({ ...knobs, searchPageSize: 2, searchShape: 'bare' })).map(({ id }) => id)).toEqual(
      ids.slice(0, 2),
    );
  });

  it('tells which parameter the service does not know', async () => {
    house.sandbox.knobs.turn({ searchParameters: { dateTo: 'dateUntil' } });
    await expect(search({}, { dateTo: '2026-07-07' })).rejects.toMatchObject({
      code: 'bad_request',
      detail: 'dateTo is not a field of meetings.search.',
    });
  });
});

describe('tags', () => {
  it.each(['tag', 'data', 'bare'] as const)('are made, answered as %s', async (tagAnswer) => {
    house.sandbox.knobs.turn({ tagAnswer, extraFields: true });
    const tag = await house.client.tags.create({ name: tagAnswer, color: 'red' });
    expect(withoutRaw(tag)).toEqual({ id: expect.any(String) as string, name: tagAnswer, color: 'red' });
  });

  it('may have any colour, where the service has any', async () => {
    house.sandbox.knobs.turn({ tagColors: 'any' });
    expect(await house.client.tags.create({ name: 'any', color: '#f0a' })).toMatchObject({ color: '#f0a' });
  });

  it.each(['tags', 'items', 'data'] as const)(
    'are listed the same in %s, page by page',
    async (tagListShape) => {
      const list = async () => (await house.client.tags.list()).map(withoutRaw);
      const listed = await list();
      expect(listed.map(({ name }) => name)).toEqual(['tag', 'data', 'bare', 'any']);
      house.sandbox.knobs.turn({ tagListShape, tagPageSize: 3, extraFields: true });
      expect(await list()).toEqual(listed);
    },
  );

  it('are the first page only, where the service shows no way to the next one', async () => {
    house.sandbox.knobs.turn({ tagListShape: 'bare', tagPageSize: 3 });
    expect((await house.client.tags.list()).map(({ name }) => name)).toEqual(['tag', 'data', 'bare']);
  });
});

describe('custom templates', () => {
  it.each([
    { templateListShape: 'templates', templateFields: 'id_and_name' },
    { templateListShape: 'custom_templates', templateFields: 'specified' },
    { templateListShape: 'items', templateFields: 'more' },
    { templateListShape: 'data', templateFields: 'specified' },
    { templateListShape: 'bare', templateFields: 'more' },
  ] as const)('are the same in $templateListShape with the fields $templateFields', async (knobs) => {
    house.sandbox.knobs.turn({ ...knobs, extraFields: true });
    expect((await house.client.templates.list()).map(withoutRaw)).toEqual([
      { id: '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07', name: 'Design sync' },
      { id: 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d', name: 'Customer call' },
    ]);
  });
});
