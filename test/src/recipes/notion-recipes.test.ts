import { defaultTasksDataSourceId, type NotionBlockTree, type NotionPage } from '@aftermeet/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { walkJson } from '../messages/walk-json.ts';
import { openRecipeHarness, type RecipeHarness } from './recipe-harness.ts';

/** What a reader sees of blocks: the text of each, those inside behind it. */
function readBlocks(blocks: readonly NotionBlockTree[]): readonly string[] {
  return blocks.flatMap(({ type, content, children }) => [
    `${type}: ${readRuns(content)}`,
    ...readBlocks(children),
  ]);
}

function readRuns(content: unknown): string {
  return [...walkJson(content)]
    .flatMap(({ name, value }) => (name === 'plain_text' && typeof value === 'string' ? [value] : []))
    .join('');
}

function readProperty(page: NotionPage, name: string): string {
  return JSON.stringify(page.properties[name]?.value ?? null);
}

describe('recipes that go to Notion', () => {
  let harness: RecipeHarness;

  beforeAll(async () => {
    harness = await openRecipeHarness({
      recipes: {
        page: { use: 'notion-page', with: { link: 'https://app.example.com/m/{meeting_id}' } },
        tasks: {
          use: 'notion-tasks',
          with: { dataSource: defaultTasksDataSourceId, initialStatus: 'In progress' },
        },
      },
    });
  });
  afterAll(() => harness.close());

  function listPages(dataSourceId: string): readonly NotionPage[] {
    return harness.vendors.notion.emulator
      .received()
      .filter((page) => page.dataSourceId === dataSourceId && !page.isInTrash);
  }

  it('notion-page makes one page, with its properties, its text and the transcript in a toggle', async () => {
    const meetingId = await harness.hold('page');
    const [page, ...others] = listPages(harness.vendors.notion.dataSourceId);
    expect(others).toEqual([]);
    if (page === undefined) expect.fail('no page was made');
    expect(page.title).toBe('Launch review');
    expect(readProperty(page, 'Meeting ID')).toContain(meetingId);
    expect(readProperty(page, 'Report URL')).toContain(`https://app.example.com/m/${meetingId}`);
    expect(readProperty(page, 'Source')).toContain('Zoom');
    expect(readProperty(page, 'Participants')).toContain('Maya Lindqvist');
    const blocks = harness.vendors.notion.emulator.readBlocks(page.id);
    const lines = readBlocks(blocks).join('\n');
    expect(lines).toContain('Copy old events from Sunday evening instead of at the first visit');
    expect(lines).toMatch(/^to_do: Write the help page about permissions/m);
    expect(lines).not.toContain('**');
    const toggles = blocks.filter(
      ({ type, content }) => type === 'toggle' || content['is_toggleable'] === true,
    );
    const said = toggles
      .map(({ children }) => readBlocks(children).join('\n'))
      .find((text) => text.includes('Thanks for making it.'));
    expect(said).toContain('Tom Okafor');
  });

  it('notion-page writes the page anew when the report has changed', async () => {
    const meetingId = await harness.hold('page', { title: 'Twice' });
    const [before] = listPages(harness.vendors.notion.dataSourceId).filter(({ title }) => title === 'Twice');
    await harness.editSummary(meetingId, 'Everything is *different* now.');
    await harness.holdAgain(meetingId);
    const pages = listPages(harness.vendors.notion.dataSourceId).filter(({ title }) => title === 'Twice');
    expect(pages.map(({ id }) => id)).toEqual([before?.id]);
    const lines = readBlocks(harness.vendors.notion.emulator.readBlocks(before?.id ?? '')).join('\n');
    expect(lines).toContain('Everything is different now.');
    expect(lines).not.toContain('212 workspaces');
  });

  it('notion-tasks keeps one row for each task', async () => {
    const meetingId = await harness.hold('tasks');
    const rows = listPages(defaultTasksDataSourceId);
    expect(rows.map(({ title }) => title).toSorted()).toEqual([
      'Set up the ten-minute check on Thursday',
      'Start the copy on Sunday evening and post the progress on Monday at noon',
      'Tell support and sales what changes for customers',
      'Write the help page about permissions',
    ]);
    const row = rows.find(({ title }) => title.startsWith('Write the help page'));
    if (row === undefined) expect.fail('a row is missing');
    expect(readProperty(row, 'Due')).toMatch(/\d{4}-\d{2}-\d{2}/);
    await harness.editSummary(meetingId, 'Everything is different now.');
    await harness.holdAgain(meetingId);
    expect(listPages(defaultTasksDataSourceId)).toHaveLength(rows.length);
  });

  it('notion-tasks brings a row up to date, and leaves the status that a person has given it', async () => {
    // As text, so that the edit below changes what a task says and nothing else of it.
    const meetingId = await harness.hold('tasks', { title: 'Rows twice' });
    await rewriteTasks(meetingId, ' (text)');
    await harness.holdAgain(meetingId);
    const find = (): NotionPage =>
      listPages(defaultTasksDataSourceId).find(({ title }) => /^Write the help page.* \(/.test(title)) ??
      expect.fail('a row is missing');
    const made = find();
    expect(readProperty(made, 'Status')).toContain('In progress');
    await changeStatus(made.id, 'Done');
    await rewriteTasks(meetingId, '!');
    await harness.holdAgain(meetingId);
    const changed = find();
    expect(changed.id).toBe(made.id);
    expect(changed.title).toBe(`${made.title}!`);
    expect(readProperty(changed, 'Status')).toContain('Done');
  });

  /** Adds something to the text of each task: it is still the same one. */
  async function rewriteTasks(meetingId: string, suffix: string): Promise<void> {
    const answer = await harness.client.reports.get(meetingId);
    if (!answer.ready) expect.fail('the report is not ready');
    const { templates, tasks } = answer.report;
    await harness.client.reports.editBlock({
      meetingId: meetingId,
      templateId: templates[0]?.id ?? expect.fail('the report has no template'),
      entityName: 'tasks',
      newSummaryText: tasks.map(({ text }) => `- ${text}${suffix}`).join('\n'),
    });
  }

  /** As a person does in Notion. */
  async function changeStatus(pageId: string, status: string): Promise<void> {
    const response = await fetch(`${harness.vendors.notion.url}/v1/pages/${pageId}`, {
      method: 'PATCH',
      headers: {
        authorization: 'Bearer ntn_person',
        'notion-version': '2025-09-03',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ properties: { Status: { status: { name: status } } } }),
    });
    expect(response.status).toBe(200);
  }
});
