import { afterEach, describe, expect, it } from 'vitest';

import { pageOf, startTestNotion, stopTestNotions, words } from '../../testing/start-test-notion.ts';
import { createNotionStandIn } from '../create-notion-stand-in.ts';
import { defaultTasksDataSourceId, workspacePageId } from '../notion-ids.ts';

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

  it('adds properties, renames them with their values, gives them another type, and removes them', async () => {
    const { client, sourceId, notion } = await startTestNotion();
    const update = (properties: object) =>
      client.dataSources.update({ data_source_id: sourceId, properties: properties as never });
    await update({ 'Effect key': { rich_text: {} } });
    const properties = { Name: { title: words('x') }, 'Effect key': { rich_text: words('k') } };
    await client.pages.create(pageOf(sourceId, { properties }));
    const renamed = await update({ 'Effect key': { name: 'Key' }, Duration: null, Source: { status: {} } });
    expect(renamed.properties['Key']).toMatchObject({ type: 'rich_text', name: 'Key' });
    expect(renamed.properties).not.toHaveProperty('Duration');
    expect(renamed.properties['Source']).toMatchObject({
      type: 'status',
      status: { options: [{ name: 'Not started' }, { name: 'In progress' }, { name: 'Done' }] },
    });
    const filter = { property: 'Key', rich_text: { equals: 'k' } };
    expect((await client.dataSources.query({ data_source_id: sourceId, filter })).results).toHaveLength(1);
    expect(notion.received()[0]?.properties).not.toHaveProperty('Effect key');
  });

  it.each<[properties: object, code: string, message: string]>([
    [{ Name: null }, 'validation_error', 'Cannot delete title property'],
    [{ Name: { rich_text: {} } }, 'validation_error', 'Cannot delete title property'],
    [{ Other: { title: {} } }, 'validation_error', 'exactly one'],
    [{ Other: null }, 'validation_error', 'Other is not a property that exists.'],
    [{ Other: { name: 'x' } }, 'validation_error', 'Other is not a property that exists.'],
    [{ Date: { name: 'Status' } }, 'validation_error', 'Status exists already'],
    [
      { Other: { formula: { expression: '1' } } },
      'invalid_request',
      'does not play properties of type formula',
    ],
    [{ Other: { colour: {} } }, 'validation_error', 'body.properties.Other'],
    [
      { Other: { number: { format: 5 } } },
      'validation_error',
      'body.properties.Other.number.format should be a string',
    ],
  ])('refuses %j', async (properties, code, message) => {
    const { client, sourceId } = await startTestNotion();
    await expect(
      client.dataSources.update({ data_source_id: sourceId, properties: properties as never }),
    ).rejects.toMatchObject({ status: 400, code, message: expect.stringContaining(message) as string });
  });

  it('keeps new choices of a select', async () => {
    const { client, sourceId } = await startTestNotion();
    const properties = { Name: { title: words('x') }, Source: { select: { name: 'zoom' } } };
    await client.pages.create(pageOf(sourceId, { properties }));
    await client.pages.create(pageOf(sourceId, { properties }));
    const source = await client.dataSources.retrieve({ data_source_id: sourceId });
    expect(source.properties['Source']).toMatchObject({ select: { options: [{ name: 'zoom' }] } });
  });

  it('goes to the trash with its pages, and comes back', async () => {
    const { client, sourceId } = await startTestNotion();
    const { id } = await client.pages.create(pageOf(sourceId));
    await client.dataSources.update({ data_source_id: sourceId, in_trash: true });
    expect(await client.pages.retrieve({ page_id: id })).toMatchObject({ in_trash: true });
    await expect(client.pages.create(pageOf(sourceId))).rejects.toMatchObject({ status: 400 });
    await client.dataSources.update({ data_source_id: sourceId, in_trash: false, title: words('Talks') });
    expect(await client.pages.retrieve({ page_id: id })).toMatchObject({ in_trash: false });
  });
});

describe('the data source of tasks', () => {
  const parent = { data_source_id: defaultTasksDataSourceId };

  it('takes rows with a meeting, an owner, a status and a date', async () => {
    const { client, sourceId } = await startTestNotion();
    const meeting = await client.pages.create(pageOf(sourceId));
    const anna = '0b07a000-0000-4000-8000-000000000002';
    const task = await client.pages.create({
      parent,
      properties: {
        Task: { title: words('Send the offer') },
        Status: { status: { name: 'In progress' } },
        Owner: { people: [{ id: anna }] },
        Due: { date: { start: '2026-07-10' } },
        Meeting: { relation: [{ id: meeting.id }] },
      },
    });
    expect(task).toMatchObject({
      properties: {
        Status: { status: { name: 'In progress', color: 'blue' } },
        Owner: { people: [{ object: 'user', id: anna, name: 'Anna Berg' }] },
        Meeting: { relation: [{ id: meeting.id }] },
      },
    });
    const filter = { property: 'Meeting', relation: { contains: meeting.id } };
    const { results } = await client.dataSources.query({ ...parent, filter });
    expect(results.map(({ id }) => id)).toEqual([task.id]);
  });

  it.each<[properties: object, status: number, message: string]>([
    [{ Status: { status: { name: 'Cancelled' } } }, 400, 'Status option "Cancelled" does not exist'],
    [{ Owner: { people: [{ id: workspacePageId }] } }, 404, 'Could not find user'],
    [{ Meeting: { relation: [{ id: workspacePageId }] } }, 404, 'Could not find page'],
    [
      { Owner: { people: [{ id: 'anna' }] } },
      400,
      'body.properties.Owner.people[0].id should be a valid uuid',
    ],
  ])('refuses %j', async (properties, status, message) => {
    const { client } = await startTestNotion();
    const create = client.pages.create({ parent, properties: properties as never });
    await expect(create).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('databases and data sources of one’s own', () => {
  it('are made in a page, and filled', async () => {
    const { client } = await startTestNotion();
    const database = await client.databases.create({
      parent: { type: 'page_id', page_id: workspacePageId },
      title: words('Risks'),
      initial_data_source: {
        properties: { Risk: { title: {} }, Level: { select: { options: [{ name: 'high', color: 'red' }] } } },
      },
    });
    const second = await client.dataSources.create({
      parent: { database_id: database.id },
      title: words('Old risks'),
      properties: { Risk: { title: {} } },
    });
    const found = await client.databases.retrieve({ database_id: database.id });
    expect(found).toMatchObject({ object: 'database', data_sources: [{ name: 'Risks' }, { id: second.id }] });
    const [first] = 'data_sources' in found ? found.data_sources : [];
    const page = await client.pages.create({
      parent: { data_source_id: first?.id ?? '' },
      properties: { Risk: { title: words('Rain') }, Level: { select: { name: 'high' } } },
    });
    expect(page).toMatchObject({ properties: { Level: { select: { color: 'red' } } } });
    await expect(
      client.pages.create({ parent: { database_id: database.id }, properties: {} }),
    ).rejects.toMatchObject({ message: expect.stringContaining('multiple data sources') as string });
    const { results } = await client.blocks.children.list({ block_id: workspacePageId });
    expect(results.at(-1)).toMatchObject({ type: 'child_database', child_database: { title: 'Risks' } });
  });

  it('need a title and relations to what is there', async () => {
    const { client } = await startTestNotion();
    const [meetings] = (await client.search({ query: 'Meetings' })).results;
    const parent = { database_id: '7d1c5e3a-2b4f-4c60-9a8d-1e0f3b2c4d5e' };
    expect(meetings).toMatchObject({ parent });
    const create = (properties: object) =>
      client.dataSources.create({ parent, properties: properties as never });
    await expect(create({ Note: { rich_text: {} } })).rejects.toMatchObject({ code: 'validation_error' });
    const relation = { data_source_id: workspacePageId, single_property: {} };
    await expect(create({ Name: { title: {} }, Other: { relation } })).rejects.toMatchObject({ status: 404 });
  });

  it('can be options of the stand-in', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const states = { type: 'status', options: ['Open', 'Closed'] } as const;
    const setup = { id, name: 'Risks', properties: { Risk: 'title', State: states } } as const;
    const { client } = await startTestNotion({ otherSources: [setup] });
    const source = await client.dataSources.retrieve({ data_source_id: id });
    expect(source.properties['State']).toMatchObject({
      status: { options: [{ name: 'Open' }, { name: 'Closed' }], groups: [{ name: 'To-do' }, {}, {}] },
    });
    expect(() => createNotionStandIn({ properties: { Note: 'rich_text' } })).toThrow(RangeError);
  });
});
