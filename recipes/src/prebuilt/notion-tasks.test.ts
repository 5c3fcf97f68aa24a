import { defaultTasksDataSourceId, type NotionEmulatorSettings } from '@aftermeet/sandbox';
import { describe, expect, it } from 'vitest';

import type { NotionPage } from '../destinations/notion/page.ts';
import { renderNotionPage } from '../destinations/notion/render-page.ts';
import { expandTarget } from '../engine/recipe.ts';
import { buildDigest, type Digest } from '../report/digest.ts';
import { sampleEvent, sampleReport } from '../testing/sample-report.ts';
import { openTestNotion } from '../testing/test-notion.ts';
import { notionTasks, renderNotionTask } from './notion-tasks.ts';

const digest = buildDigest({
  ...sampleReport,
  participants: [{ name: 'Anna Berg', email: 'Anna.Berg@example.com' }],
  tasks: [
    { text: 'Send the offer', owner: 'Anna Berg', due: 'Friday', dueDate: '2026-07-10' },
    { text: 'Book a room, please' },
  ],
});
const [first, second] = digest.taskGroups.flatMap(({ tasks }) => tasks.map(({ key }) => key));
const otherSource = '2c9e4f1a-7b60-4d82-a3c5-1e0f6b7d8c9a';

function row(key = first, options: Parameters<typeof renderNotionTask>[2] = {}, from = digest): NotionPage {
  const page = renderNotionTask(from, key, options);
  if (page === undefined) throw new Error('there is no such task');
  return page;
}

/** Notion, where rows go to the data source of tasks. */
async function open(options: NotionEmulatorSettings = {}) {
  const at = await openTestNotion(options);
  const target = defaultTasksDataSourceId;
  return {
    ...at,
    meetings: at.emulator.dataSourceId,
    prepareRow: (page: NotionPage, effectKey = 'k1') => at.prepare(page, { effectKey, target }),
    tryPrepareRow: (page: NotionPage) => at.tryPrepare(page, { target }),
    sendRow: (page: NotionPage, effectKey = 'k1') => at.send(page, { effectKey, target }),
    sendMeeting: (from: Digest = digest, effectKey = 'm1') => at.send(renderNotionPage(from), { effectKey }),
    /** The page that the first row points to. */
    readMeeting: (): unknown => {
      const found = at.emulator.received().find(({ properties }) => 'Meeting' in properties);
      return found?.properties['Meeting']?.value;
    },
  };
}

describe('the recipe notion-tasks', () => {
  it('plans one effect for each task of the report', () => {
    const notion = { token: 'ntn_test', dataSourceId: 'meetings' };
    const { plan, input } = notionTasks.bind({ dataSource: 'tasks' }, { notion });
    expect(plan(sampleEvent)).toEqual([{ target: expandTarget, part: 0 }]);
    if (input.from !== 'report') throw new Error('it is made from the report');
    expect(input.expand?.(digest, { target: expandTarget, part: 0 })).toEqual([
      { target: 'tasks', part: 0, item: first },
      { target: 'tasks', part: 0, item: second },
    ]);
    expect(input.expand?.(digest, { target: 'tasks', part: 0, item: first ?? '' })).toEqual([]);
    expect(input.render(digest, { target: 'tasks', part: 0, item: 'gone' })).toEqual({
      skip: 'the report does not have this open task any more',
    });
  });

  it.each([
    [{}, 1],
    [{ dataSource: 'tasks', properties: { due: 'Until', owner: false } }, 0],
    [{ dataSource: 'tasks', properties: { deu: 'Until' } }, 1],
  ])('finds in the options %j %i problems', (options, count) => {
    expect(notionTasks.check(options)).toHaveLength(count);
  });
});

describe('a row', () => {
  it('has title, owner, due date and the page of its meeting', async () => {
    const { sendMeeting, sendRow, emulator, readProperty, readMeeting } = await open();
    const meeting = await sendMeeting();
    await sendRow(row());
    expect(emulator.received()[1]?.title).toBe('Send the offer');
    expect(readProperty('Owner', 1)).toContain('"Anna Berg"');
    expect(readProperty('Due', 1)).toContain('"2026-07-10"');
    expect(readMeeting()).toEqual([{ id: meeting }]);
  });

  it('is created once, also if its delivery key was deleted', async () => {
    const { sendRow, emulator, client } = await open();
    const id = await sendRow(row());
    await client.pages.update({ page_id: id, properties: { 'Delivery key': { rich_text: [] } } });
    expect(await sendRow(row(), 'k2')).toBe(id);
    emulator.faults.add({ kind: 'drop_after', on: 'pages.create' });
    const other = await sendRow(row(second), 'k3');
    expect(await sendRow(row(second), 'k3')).toBe(other);
    expect(emulator.received()).toHaveLength(2);
  });

  it('gets a new title and date by an update, and keeps its status and its content', async () => {
    const { sendRow, prepareRow, emulator, client, readProperty } = await open();
    const id = await sendRow(row(first, { initialStatus: 'In progress' }));
    expect(readProperty('Status')).toContain('"In progress"');
    await client.pages.update({ page_id: id, properties: { Status: { status: { name: 'Done' } } } });
    const note = { paragraph: { rich_text: [{ text: { content: 'my notes' } }] } };
    await client.blocks.children.append({ block_id: id, children: [note] });
    const [group] = digest.taskGroups;
    const [task] = group?.tasks ?? [];
    if (task === undefined) throw new Error('there is no task');
    const text = { ...task.text, children: [...task.text.children, ...task.text.children] };
    const changed = { ...digest, taskGroups: [{ tasks: [{ ...task, text, dueDate: '2026-07-11' }] }] };
    const update = await prepareRow(row(first, { initialStatus: 'In progress' }, changed), 'k2');
    expect(await update.update?.(id)).toEqual({ result: 'sent', reference: id });
    expect(emulator.received()[0]?.title).toBe('Send the offer Send the offer');
    expect(readProperty('Due')).toContain('"2026-07-11"');
    expect(readProperty('Status')).toContain('"Done"');
    expect(JSON.stringify(emulator.readBlocks(id))).toContain('my notes');
  });

  it('is tried again after its key column was deleted, and adds the column', async () => {
    const { sendRow, tryPrepareRow, client, emulator } = await open();
    await sendRow(row());
    await client.dataSources.update({
      data_source_id: defaultTasksDataSourceId,
      properties: { 'Task key': null },
    });
    expect(await tryPrepareRow(row(second))).toMatchObject({
      result: 'not_sent_retry',
      cause: expect.stringContaining('the property "Task key" may have been deleted'),
    });
    await sendRow(row(second), 'k2');
    expect(emulator.received()).toHaveLength(2);
  });

  it('has no owner if the connection may not read people', async () => {
    const capabilities = ['read_content', 'insert_content', 'update_content'] as const;
    const { sendRow, readProperty } = await open({ options: { capabilities: [...capabilities] } });
    await sendRow(row());
    expect(readProperty('Owner')).toBe('[]');
  });

  it.each([
    [
      { initialStatus: 'Later' },
      'the Notion property "Status" has no option of the name that initialStatus says: it has',
    ],
    [
      { mapping: { due: 'Until' } },
      'the Notion property "Until" is not there; expected a property of type date or rich_text, for due: change it in the data source, or in the option properties',
    ],
    [{ mapping: { due: 'Status' } }, '"Status" is of type status; expected'],
  ])('with the options %j fails for good', async (options, cause) => {
    const { tryPrepareRow } = await open();
    expect(await tryPrepareRow(row(first, options))).toMatchObject({
      result: 'permanent',
      cause: expect.stringContaining(cause),
    });
  });
});

describe('the meeting of a row', () => {
  it('is waited for if the option meetings names its data source, for two minutes', async () => {
    const { tryPrepareRow, sendRow, meetings, pass, readMeeting } = await open();
    const page = row(first, { meetings });
    expect(await tryPrepareRow(page)).toEqual({
      result: 'not_sent_retry',
      cause: "the meeting's page is not there yet",
      contact: 'none',
    });
    pass(120_000);
    await sendRow(page);
    expect(readMeeting()).toEqual([]);
  });

  it('is found by the property of the option meetingProperty', async () => {
    const { send, sendRow, meetings, client, readMeeting } = await open();
    await client.dataSources.update({
      data_source_id: meetings,
      properties: { 'Call number': { rich_text: {} } },
    });
    const id = await send(renderNotionPage(digest, { mapping: { meetingId: 'Call number' } }));
    await sendRow(row(first, { meetings, meetingProperty: 'Call number' }));
    expect(readMeeting()).toEqual([{ id }]);
  });

  it('is the one of the same start in a series', async () => {
    const { sendMeeting, tryPrepareRow, sendRow, meetings, readMeeting } = await open();
    const lastWeek = { ...digest, startedAt: '2026-06-30T11:00:00.000Z' };
    const thisWeek = { ...digest, startedAt: '2026-07-07T11:00:42.000Z' };
    await sendMeeting(lastWeek, 'm1');
    expect(await tryPrepareRow(row(first, { meetings }, lastWeek))).toMatchObject({ result: 'ready' });
    const page = row(first, { meetings }, thisWeek);
    expect(await tryPrepareRow(page)).toMatchObject({ cause: "the meeting's page is not there yet" });
    // Notion stores minutes.
    const id = await sendMeeting({ ...thisWeek, startedAt: '2026-07-07T11:00:00.000Z' }, 'm2');
    await sendRow(page);
    expect(readMeeting()).toEqual([{ id }]);
  });

  it('is looked for in the data source that the relation points to', async () => {
    const calls = '6b3c8d2f-5e40-4b71-9c2d-0f1e3a4b5c6d';
    const { send, sendMeeting, sendRow, tryPrepareRow, meetings, readMeeting } = await open({
      otherSources: [
        { id: calls, name: 'Calls', properties: { Name: 'title', 'Meeting ID': 'rich_text' } },
        {
          id: defaultTasksDataSourceId,
          name: 'Tasks',
          properties: { Task: 'title', Meeting: { type: 'relation', dataSourceId: calls } },
        },
      ],
    });
    await sendMeeting();
    const id = await send(renderNotionPage(digest), { effectKey: 'm2', target: calls });
    await sendRow(row());
    expect(readMeeting()).toEqual([{ id }]);
    expect(await tryPrepareRow(row(second, { meetings }))).toEqual({
      result: 'permanent',
      cause:
        'the Notion property "Meeting" points into another data source than the option meetings says: change one of them',
      contact: 'answered',
    });
    const sameId = calls.replaceAll('-', '').toUpperCase();
    expect(await tryPrepareRow(row(second, { meetings: sameId }))).toMatchObject({ result: 'ready' });
  });

  it('is left out if the data source of the relation has no meetings', async () => {
    const { sendRow, readMeeting } = await open({
      otherSources: [
        { id: otherSource, name: 'Projects', properties: { Name: 'title' } },
        {
          id: defaultTasksDataSourceId,
          name: 'Tasks',
          properties: { Task: 'title', Meeting: { type: 'relation', dataSourceId: otherSource } },
        },
      ],
    });
    await sendRow(row());
    expect(readMeeting()).toEqual([]);
  });

  it('makes the row fail for good if an option names a property that cannot be searched', async () => {
    const { tryPrepareRow, meetings } = await open();
    expect(await tryPrepareRow(row(first, { meetings, meetingProperty: 'Nope' }))).toEqual({
      result: 'permanent',
      cause:
        'Notion can\'t look for the meeting\'s page by a text property "Nope": check the options meetings and meetingProperty',
      contact: 'answered',
    });
  });
});
