import { afterEach, describe, expect, it } from 'vitest';

import { pageOf, startTestNotion, stopTestNotions, words } from '../../testing/notion.ts';
import { createNotionEmulator } from './notion.ts';
import { defaultTasksDataSourceId } from './state.ts';

const unknownId = '3c5d1e7f-9a0b-4c2d-8e4f-6a1b7c2d8e3f';

afterEach(stopTestNotions);

describe('the data source of meetings', () => {
  it('tells its properties, with and without dashes in its id', async () => {
    const { client, sourceId } = await startTestNotion();
    const source = await client.dataSources.retrieve({ data_source_id: sourceId.replaceAll('-', '') });
    expect(source).toMatchObject({
      object: 'data_source',
      id: sourceId,
      title: [{ plain_text: 'Meetings' }],
      properties: {
        Name: { id: 'title', type: 'title', title: {} },
        Duration: { type: 'number', number: { format: 'number' } },
        Source: { type: 'select', select: { options: [] } },
      },
    });
    expect(new Set(Object.values(source.properties).map(({ id }) => id)).size).toBe(9);
  });

  it('adds properties, also to pages that are there, and removes them', async () => {
    const { client, sourceId, notion } = await startTestNotion();
    const update = (properties: object) =>
      client.dataSources.update({ data_source_id: sourceId, properties: properties as never });
    await client.pages.create(pageOf(sourceId));
    const changed = await update({ 'Effect key': { rich_text: {} }, Duration: null, State: { status: {} } });
    expect(changed.properties).not.toHaveProperty('Duration');
    expect(changed.properties['State']).toMatchObject({
      status: { options: [{ name: 'Not started' }, { name: 'In progress' }, { name: 'Done' }] },
    });
    expect(notion.received()[0]?.properties).toMatchObject({
      Name: { value: [{ plain_text: 'Launch review' }] },
      'Effect key': { type: 'rich_text', value: [] },
    });
    expect(notion.received()[0]?.properties).not.toHaveProperty('Duration');
  });

  it.each<[properties: object, code: string, message: string]>([
    [
      { Other: { relation: { data_source_id: unknownId, single_property: {} } } },
      'object_not_found',
      'Could not find data source',
    ],
    [{ Name: null }, 'validation_error', 'exactly one'],
    [{ Other: { title: {} } }, 'validation_error', 'exactly one'],
    [{ Other: null }, 'validation_error', 'Other is not a property that exists.'],
    [{ Date: { name: 'Day' } }, 'invalid_request', 'no changes of a property'],
    [{ Other: { formula: { expression: '1' } } }, 'invalid_request', 'has no properties of type formula'],
    [{ Other: { colour: {} } }, 'validation_error', 'body.properties.Other'],
    [{ Other: { number: { format: 5 } } }, 'validation_error', 'body.properties.Other.number.format is not'],
  ])('refuses %j', async (properties, code, message) => {
    const { client, sourceId } = await startTestNotion();
    await expect(
      client.dataSources.update({ data_source_id: sourceId, properties: properties as never }),
    ).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  it('keeps new choices of a select', async () => {
    const { client, sourceId } = await startTestNotion();
    const properties = { Name: { title: words('x') }, Source: { select: { name: 'zoom' } } };
    await client.pages.create(pageOf(sourceId, { properties }));
    await client.pages.create(pageOf(sourceId, { properties }));
    const source = await client.dataSources.retrieve({ data_source_id: sourceId });
    expect(source.properties['Source']).toMatchObject({ select: { options: [{ name: 'zoom' }] } });
  });
});

describe('the data source of tasks', () => {
  const parent = { data_source_id: defaultTasksDataSourceId };

  it.each<[properties: object, status: number, message: string]>([
    [{ Status: { status: { name: 'Cancelled' } } }, 400, 'Status option "Cancelled" does not exist'],
    [{ Owner: { people: [{ id: unknownId }] } }, 404, 'Could not find user'],
    [{ Meeting: { relation: [{ id: unknownId }] } }, 404, 'Could not find page'],
    [{ Owner: { people: [{ id: 'anna' }] } }, 400, 'body.properties.Owner.people[0].id is not'],
  ])('refuses %j', async (properties, status, message) => {
    const { client } = await startTestNotion();
    const create = client.pages.create({ parent, properties: properties as never });
    await expect(create).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('other data sources', () => {
  it('are a setting of the emulator', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const states = { type: 'status', options: ['Open', 'Closed'] } as const;
    const setup = { id, name: 'Risks', properties: { Risk: 'title', State: states } } as const;
    const { client } = await startTestNotion({ otherSources: [setup] });
    const source = await client.dataSources.retrieve({ data_source_id: id });
    expect(source.properties['State']).toMatchObject({
      status: { options: [{ name: 'Open' }, { name: 'Closed' }], groups: [{ name: 'To-do' }, {}, {}] },
    });
    expect(() => createNotionEmulator({ properties: { Note: 'rich_text' } })).toThrow(RangeError);
  });
});
