import {
  createNotionStandIn,
  defaultTasksDataSourceId,
  type NotionStandIn,
  type NotionStandInOptions,
} from '@aftermeet/sandbox';
import { Client } from '@notionhq/client';
import { afterEach, describe, expect, it } from 'vitest';

import type { Digest } from '../digest.ts';
import { notionTasks } from '../prebuilt/notion-tasks/notion-tasks.ts';
import { spreadTarget } from '../recipe.ts';
import type { Carrier } from '../shipment.ts';
import { bringToEnd, startTestTime, takeShipment, type TestTime } from '../testing/bring-to-end.ts';
import { checkDataSource } from './check-data-source.ts';
import type { NotionPage } from './notion-page.ts';
import { renderNotionPage } from './render-notion-page.ts';
import { renderNotionTask } from './render-notion-task.ts';
import { openNotion } from './send-notion-page.ts';

const text = (value: string) =>
  ({ type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] }) as const;

const digest: Digest = {
  meetingId: 'm_1',
  title: 'Weekly sync',
  startedAt: '2026-07-07T11:00:00Z',
  people: [],
  attendees: [],
  tags: [],
  templates: [],
  facts: [],
  summary: text('We agreed.'),
  decisions: [],
  taskGroups: [
    {
      owner: 'Anna Berg',
      email: 'Anna.Berg@example.com',
      tasks: [{ key: 't1', text: text('Send the offer'), due: 'Friday', dueDate: '2026-07-10' }],
    },
    { tasks: [{ key: 't2', text: text('Book a room, please') }] },
  ],
  sections: [],
  isTranscriptEmpty: false,
  isCut: false,
};

interface World extends TestTime {
  /** Somebody else's connection. */
  readonly client: Client;
  readonly standIn: NotionStandIn;
  readonly url: string;
  readonly carrier: Carrier<NotionPage>;
}

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

async function open(options: NotionStandInOptions = {}): Promise<World> {
  const time = startTestTime();
  const standIn = createNotionStandIn({ clock: time.clock, ...options });
  const { url } = await standIn.listen();
  close = () => standIn.close();
  const settings = { token: 'ntn_test', baseUrl: url, dataSourceId: standIn.dataSourceId };
  const client = new Client({ auth: 'ntn_other', baseUrl: url, logger: () => {} });
  return {
    ...time,
    client,
    standIn,
    url,
    carrier: openNotion(settings, time.clock, { timeoutMs: 5000 }, time.wait),
  };
}

function row(key = 't1', options: Parameters<typeof renderNotionTask>[2] = {}, of = digest): NotionPage {
  const page = renderNotionTask(of, key, options);
  if (page === undefined) throw new Error('no such task');
  return page;
}

async function prepare(at: World, page: NotionPage, effectKey = 'k1') {
  return await at.carrier.prepare(page, { effectKey, target: defaultTasksDataSourceId });
}

async function send(at: World, page: NotionPage, effectKey = 'k1'): Promise<string> {
  const sent = await bringToEnd(takeShipment(await prepare(at, page, effectKey)));
  return sent?.result === 'sent' ? sent.reference : JSON.stringify(sent);
}

function read({ standIn }: World, property: string, index = 0): string {
  return JSON.stringify(standIn.received()[index]?.properties[property]?.value);
}

describe('notion-tasks', () => {
  it('plans one effect for each task of the report', () => {
    const notion = { token: 'ntn_test', dataSourceId: 'meetings' };
    const { plan, subject } = notionTasks.bind({ dataSource: 'tasks' }, { notion });
    const event = {
      kind: 'meeting.completed',
      meetingId: 'm_1',
      occurrence: '',
      endpoint: '',
      receivedAt: '',
    };
    expect(plan(event)).toEqual([{ target: spreadTarget, part: 0 }]);
    if (subject.from !== 'report') throw new Error('no report');
    expect(subject.spread?.(digest, { target: spreadTarget, part: 0 })).toEqual([
      { target: 'tasks', part: 0, item: 't1' },
      { target: 'tasks', part: 0, item: 't2' },
    ]);
    expect(subject.spread?.(digest, { target: 'tasks', part: 0, item: 't1' })).toEqual([]);
    expect(subject.render(digest, { target: 'tasks', part: 0, item: 't9' })).toEqual({
      skip: 'the report does not have this task any more',
    });
    expect(notionTasks.check({})).toHaveLength(1);
    expect(notionTasks.check({ dataSource: 'tasks', properties: { due: 'Until', owner: false } })).toEqual(
      [],
    );
    expect(notionTasks.check({ dataSource: 'tasks', properties: { deu: 'Until' } })).toHaveLength(1);
  });

  it('makes a row with owner, due date and the page of its meeting', async () => {
    const at = await open();
    const meeting = renderNotionPage(digest);
    const made = takeShipment(
      await at.carrier.prepare(meeting, { effectKey: 'm', target: at.standIn.dataSourceId }),
    );
    const sent = await made.send();
    await send(at, row());
    expect(at.standIn.received()[1]?.title).toBe('Send the offer');
    expect(read(at, 'Owner', 1)).toContain('"Anna Berg"');
    expect(read(at, 'Due', 1)).toContain('"2026-07-10"');
    expect(read(at, 'Meeting', 1)).toBe(
      JSON.stringify([{ id: sent.result === 'sent' ? sent.reference : '' }]),
    );
  });

  it('waits for the page of its meeting where it was told of one, and not for ever', async () => {
    const at = await open();
    const page = row('t1', { meetings: at.standIn.dataSourceId });
    expect(await prepare(at, page)).toEqual({
      result: 'not_sent_retry',
      cause: "the meeting's page is not there yet",
      contact: 'none',
    });
    at.pass(120_000);
    expect(await send(at, page)).toBe(at.standIn.received()[0]?.id);
    expect(read(at, 'Meeting')).toBe('[]');
  });

  it('finds the page of its meeting by the property that it was told of', async () => {
    const at = await open();
    const mapping = { meetingId: 'Call number' };
    const label = { effectKey: 'm', target: at.standIn.dataSourceId };
    await at.client.dataSources.update({
      data_source_id: at.standIn.dataSourceId,
      properties: { 'Call number': { rich_text: {} } },
    });
    const made = takeShipment(await at.carrier.prepare(renderNotionPage(digest, { mapping }), label));
    const sent = await bringToEnd(made);
    await send(at, row('t1', { meetings: at.standIn.dataSourceId, meetingProperty: 'Call number' }));
    expect(read(at, 'Meeting', 1)).toBe(
      JSON.stringify([{ id: sent?.result === 'sent' ? sent.reference : '' }]),
    );
  });

  it('points into the data source that its property points into', async () => {
    const meetings = '6b3c8d2f-5e40-4b71-9c2d-0f1e3a4b5c6d';
    const other = '2c9e4f1a-7b60-4d82-a3c5-1e0f6b7d8c9a';
    const into = (dataSourceId: string) => ({
      id: defaultTasksDataSourceId,
      name: 'Tasks',
      properties: { Task: 'title', Meeting: { type: 'relation', dataSourceId } } as const,
    });
    const at = await open({
      otherSources: [
        { id: meetings, name: 'Calls', properties: { Name: 'title', 'Meeting ID': 'rich_text' } },
        { id: other, name: 'Projects', properties: { Name: 'title' } },
        into(meetings),
      ],
    });
    for (const target of [at.standIn.dataSourceId, meetings]) {
      const label = { effectKey: target, target };
      await bringToEnd(takeShipment(await at.carrier.prepare(renderNotionPage(digest), label)));
    }
    await send(at, row());
    expect(read(at, 'Meeting', 2)).toBe(JSON.stringify([{ id: at.standIn.received()[1]?.id }]));
    expect(await prepare(at, row('t2', { meetings: at.standIn.dataSourceId }))).toEqual({
      result: 'permanent',
      cause:
        'the Notion property "Meeting" points into another data source than the option meetings says: mend one of them',
      contact: 'answered',
    });
    expect(
      await prepare(at, row('t2', { meetings: meetings.replaceAll('-', '').toUpperCase() })),
    ).toMatchObject({
      result: 'ready',
    });
  });

  it('does without the page of its meeting where no meeting can be looked for', async () => {
    const other = '2c9e4f1a-7b60-4d82-a3c5-1e0f6b7d8c9a';
    const at = await open({
      otherSources: [
        { id: other, name: 'Projects', properties: { Name: 'title' } },
        {
          id: defaultTasksDataSourceId,
          name: 'Tasks',
          properties: { Task: 'title', Meeting: { type: 'relation', dataSourceId: other } },
        },
      ],
    });
    const label = { effectKey: 'm', target: at.standIn.dataSourceId };
    await bringToEnd(takeShipment(await at.carrier.prepare(renderNotionPage(digest), label)));
    expect(await send(at, row())).toBe(at.standIn.received()[1]?.id);
    expect(read(at, 'Meeting', 1)).toBe('[]');
  });

  it('does not wait for what it can not ask for, and says what to mend', async () => {
    const at = await open();
    const options = { meetings: at.standIn.dataSourceId, meetingProperty: 'Nope' };
    expect(await prepare(at, row('t1', options))).toEqual({
      result: 'permanent',
      cause:
        'Notion can\'t look for the meeting\'s page by a text property "Nope": check the options meetings and meetingProperty',
      contact: 'answered',
    });
  });

  it('points to the page of its own meeting of a series, and waits for that one', async () => {
    const at = await open();
    const lastWeek = { ...digest, startedAt: '2026-06-30T11:00:00.000Z' };
    const thisWeek = { ...digest, startedAt: '2026-07-07T11:00:42.000Z' };
    const meet = async (of: typeof digest, effectKey: string) => {
      const label = { effectKey, target: at.standIn.dataSourceId };
      return await bringToEnd(takeShipment(await at.carrier.prepare(renderNotionPage(of), label)));
    };
    await meet(lastWeek, 'm1');
    const task = row('t1', { meetings: at.standIn.dataSourceId }, thisWeek);
    expect(await prepare(at, row('t1', { meetings: at.standIn.dataSourceId }, lastWeek))).toMatchObject({
      result: 'ready',
    });
    expect(await prepare(at, task)).toMatchObject({ cause: "the meeting's page is not there yet" });
    await meet({ ...thisWeek, startedAt: '2026-07-07T11:00:00.000Z' }, 'm2');
    await send(at, task);
    expect(read(at, 'Meeting', 2)).toBe(JSON.stringify([{ id: at.standIn.received()[1]?.id }]));
  });

  it('changes title, due date and owner of a row, never its status and what people put into it', async () => {
    const at = await open();
    const id = await send(at, row('t1', { initialStatus: 'In progress' }));
    expect(read(at, 'Status')).toContain('"In progress"');
    await at.client.pages.update({ page_id: id, properties: { Status: { status: { name: 'Done' } } } });
    await at.client.blocks.children.append({
      block_id: id,
      children: [{ paragraph: { rich_text: [{ text: { content: 'my notes' } }] } }],
    });
    const [group] = digest.taskGroups;
    const changed = {
      ...digest,
      taskGroups: [{ ...group, tasks: [{ key: 't1', text: text('Send it'), dueDate: '2026-07-11' }] }],
    };
    const page = row('t1', { initialStatus: 'In progress' }, changed);
    const shipment = takeShipment(await prepare(at, page, 'k2'));
    expect(await shipment.update?.(id)).toEqual({ result: 'sent', reference: id });
    expect(at.standIn.received()[0]?.title).toBe('Send it');
    expect(read(at, 'Due')).toContain('"2026-07-11"');
    expect(read(at, 'Status')).toContain('"Done"');
    expect(JSON.stringify(at.standIn.readBlocks(id))).toContain('my notes');
  });

  it('never makes two rows: whoever made the first, and when its key was lost', async () => {
    const at = await open();
    const id = await send(at, row());
    await at.client.pages.update({ page_id: id, properties: { 'Delivery key': { rich_text: [] } } });
    expect(await send(at, row(), 'k2')).toBe(id);
    at.standIn.faults.add({ kind: 'drop_after', on: 'pages.create' });
    const second = await send(at, row('t2'), 'k3');
    expect(await send(at, row('t2'), 'k3')).toBe(second);
    expect(at.standIn.received()).toHaveLength(2);
    await at.client.pages.update({ page_id: second, in_trash: true });
    const gone = takeShipment(await prepare(at, row('t2'), 'k4'));
    expect(await gone.update?.(second)).toMatchObject({ result: 'gone' });
  });

  it('does without people that the connection may not read', async () => {
    const capabilities = ['read_content', 'insert_content', 'update_content'] as const;
    const at = await open({ knobs: { capabilities: [...capabilities] } });
    expect(await send(at, row())).toBe(at.standIn.received()[0]?.id);
    expect(read(at, 'Owner')).toBe('[]');
  });

  it('names a status that is not there, and a property that was named and is not there or is another', async () => {
    const at = await open();
    expect(await prepare(at, row('t1', { initialStatus: 'Later' }))).toMatchObject({
      result: 'permanent',
      cause: expect.stringContaining('the Notion property "Status" has no option of the name'),
    });
    expect(await prepare(at, row('t1', { mapping: { due: 'Until' } }))).toMatchObject({
      result: 'permanent',
      cause:
        'the Notion property "Until" is not there; expected a property of type date or rich_text, for due: mend it in the data source, or the option properties',
    });
    expect(await prepare(at, row('t1', { mapping: { due: 'Status' } }))).toMatchObject({
      cause: expect.stringContaining('"Status" is of type status; expected'),
    });
    expect(await send(at, row('t1', { mapping: { due: false } }))).toBe(at.standIn.received()[0]?.id);
    expect(read(at, 'Due')).toBe('null');
  });
});

describe('checkDataSource', () => {
  it('says where each fact goes, what is missing and what is wrong, and changes nothing', async () => {
    const at = await open();
    const settings = { token: 'ntn_test', baseUrl: at.url, dataSourceId: at.standIn.dataSourceId };
    const check = await checkDataSource(settings, settings.dataSourceId);
    expect(check).toMatchObject({ ok: true });
    expect(check.ok ? check.notes : []).toEqual(
      expect.arrayContaining([
        'date goes to "Date" (date)',
        'summary goes nowhere: the data source has no property for it',
        'the property "Delivery key" is missing and is added with the first page',
      ]),
    );
    expect(await checkDataSource(settings, settings.dataSourceId, { date: 'Name', tags: 'Nope' })).toEqual({
      ok: false,
      problems: [
        'the Notion property "Name" is of type title; expected a property of type date, for date: mend it in the data source, or the option properties',
        'the Notion property "Nope" is not there; expected a property of type multi_select or rich_text, for tags: mend it in the data source, or the option properties',
      ],
    });
    expect(await checkDataSource(settings, '00000000-0000-4000-8000-000000000000')).toMatchObject({
      ok: false,
    });
    expect(await checkDataSource(settings, defaultTasksDataSourceId, {}, 'task')).toMatchObject({ ok: true });
  });
});
