import { defaultTasksDataSourceId } from '@aftermeet/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { walkJson } from '../messages/walk-json.ts';
import { openRecipeHarness, type RecipeHarness } from './recipe-harness.ts';

/** A user of the workspace, and one who is none. */
const TOM = '0b07a000-0000-4000-8000-000000000003';
const GONE = '11111111-2222-4333-8444-555555555555';

/** The report names speakers and owners, and no address at all. */
let harness: RecipeHarness;

beforeAll(async () => {
  harness = await openRecipeHarness({
    recipes: {
      recap: { use: 'slack-recap', with: {} },
      tasks: { use: 'slack-tasks', with: {} },
      mail: { use: 'email-follow-up', with: { to: 'internal' } },
      rows: { use: 'notion-tasks', with: { dataSource: defaultTasksDataSourceId } },
    },
    endpoints: { all: ['recap', 'tasks', 'mail', 'rows'] },
    mail: { internalDomains: ['example.com'] },
    guests: [],
    people: [
      { name: 'Maya Lindqvist', aliases: [], email: 'maya@example.com', notion: GONE },
      { name: 'Tom Okafor', aliases: ['Tom O.'], slack: 'U0TOM', notion: TOM },
    ],
  });
});
afterAll(() => harness.close());

it('mentions and writes to those whom the settings name, in Slack', async () => {
  await harness.hold('all');
  const messages = harness.vendors.slack.emulator.received();
  const mentions = messages.flatMap(({ channel, blocks = [] }) =>
    [...walkJson(blocks)].flatMap(({ name, value }) =>
      name === 'user_id' ? [`${channel} ${String(value)}`] : [],
    ),
  );
  expect(mentions.toSorted()).toEqual(['C0123456789 U0MAYA', 'C0123456789 U0TOM']);
  const direct = messages.flatMap(({ channel }) => (channel.startsWith('D') ? [channel] : []));
  expect(direct.toSorted()).toEqual(['D0MAYA', 'D0TOM']);
});

it('mails to those who have an address', () => {
  const mails = harness.vendors.mail.emulator.received();
  expect(mails.flatMap(({ envelope }) => envelope.to)).toEqual(['maya@example.com']);
});

it('owns the rows of whom the workspace has the id, and leaves none out', () => {
  const rows = harness.vendors.notion.emulator.received().map((page) => JSON.stringify(page));
  expect(rows).toHaveLength(4);
  const [own, ...others] = rows.filter((row) => row.includes(TOM));
  expect(own).toContain('Write the help page about permissions');
  expect(others).toEqual([]);
  expect(rows.filter((row) => row.includes(GONE))).toEqual([]);
});
