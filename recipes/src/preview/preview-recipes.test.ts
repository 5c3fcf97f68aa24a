import { describe, expect, it } from 'vitest';

import { isBuiltInMessage } from '../destinations/index.ts';
import type { BoundRecipe, ConfiguredRecipe } from '../engine/recipe.ts';
import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import { sampleReport } from '../testing/sample-report.ts';
import {
  previewEffects,
  previewRecipes,
  type PreviewRequest,
  previewSources,
  writePreviewEvent,
} from './preview-recipes.ts';

const destinations = {
  slack: { token: 'xoxb-1', channel: 'C0MEETINGS' },
  notion: { token: 'ntn', dataSourceId: 'source' },
  email: { smtpUrl: 'smtp://127.0.0.1', from: 'notes@example.com', to: [] },
};

const report = {
  ...sampleReport,
  participants: [...sampleReport.participants, { name: 'Cleo', email: 'cleo@client.example' }],
};

const recipe = (use: string, values: object = {}, when: object = {}): ConfiguredRecipe => ({
  name: use,
  use,
  when: { ...when },
  with: { ...values },
});

async function preview(configured: ConfiguredRecipe, changes: Partial<PreviewRequest> = {}) {
  const [first] = await previewRecipes({
    recipes: [configured],
    destinations,
    endpoints: ['default'],
    meetingId: 'm_1',
    report,
    eventKind: 'meeting.completed',
    nowMs: Date.UTC(2026, 6, 8),
    ...changes,
  });
  if (first === undefined) throw new Error('a preview of each recipe');
  return first;
}

describe('previewRecipes', () => {
  it('names every recipient, and marks the drafts', async () => {
    const { effects } = await preview(recipe('email-follow-up', { to: 'all' }));
    const drafts = effects.map(({ target, rendered }) => [
      target,
      rendered !== undefined &&
        isBuiltInMessage(rendered) &&
        rendered.destination === 'email' &&
        rendered.message.needsApproval === true,
    ]);
    expect(drafts).toEqual([
      ['ann@example.com', false],
      ['carl@example.com', false],
      ['cleo@client.example', true],
    ]);
  });

  it('shows that there are too many recipients', async () => {
    const { effects } = await preview(recipe('email-follow-up', { to: 'all', maxRecipients: 2 }));
    expect(effects).toEqual([
      { target: 'expand', part: 0, skipped: '3 recipients, more than maxRecipients 2: no mail is sent' },
    ]);
  });

  it('shows a row for each task and a message for each owner', async () => {
    const rows = await preview(recipe('notion-tasks', { dataSource: 'tasks' }));
    expect(rows.effects.map(({ target, rendered }) => [target, rendered?.destination])).toEqual([
      ['tasks', 'notion'],
      ['tasks', 'notion'],
      ['tasks', 'notion'],
    ]);
    const messages = await preview(recipe('slack-tasks'));
    expect(messages.effects).toMatchObject([
      { rendered: { message: { person: { email: 'ann@example.com' } } } },
    ]);
  });

  it('puts what follows a message behind it', async () => {
    const summary = Array.from(
      { length: 120 },
      (_each, index) => `- line ${index} ${'word '.repeat(20)}`,
    ).join('\n');
    const { effects } = await preview(recipe('slack-recap'), { report: { ...report, summary } });
    expect(effects.length).toBeGreaterThan(1);
    expect(effects.map(({ part }) => part)).toEqual(effects.map((_effect, index) => index));
    expect(new Set(effects.map(({ target }) => target))).toEqual(new Set(['C0MEETINGS']));
  });

  it('shows requests without what they are signed with, files and new reports', async () => {
    const secret = 'hunter2-hunter2-hunter2';
    const forward = await preview(
      recipe('http-forward', {
        url: 'https://hooks.example.com/hunter2',
        secret,
        headers: { 'X-Key': secret },
      }),
    );
    expect(forward.effects).toHaveLength(1);
    expect(JSON.stringify(forward)).toContain('hooks.example.com');
    expect(JSON.stringify(forward)).not.toContain('hunter2');
    const files = await preview(recipe('archive-export', { folder: '/srv/meetings', format: ['pdf', 'md'] }));
    expect(files.effects).toMatchObject([
      { rendered: { message: { folder: '/srv/meetings', name: expect.stringMatching(/m_1\.pdf$/) } } },
      { rendered: { message: { name: expect.stringMatching(/m_1\.md$/) } } },
    ]);
  });

  it('tells who cannot be mailed, also where nobody can be', async () => {
    const participants = [{ name: 'Doi', email: 'd.oi.@example.com' }];
    const text = '1 address of the report cannot be mailed: Doi (a dot right before the @)';
    const refused = { participants: [{ name: 'Doi', cause: 'trailing_dot' }], text };
    const mail = recipe('email-follow-up');
    expect(await preview(mail, { report: { ...report, participants } })).toMatchObject({
      effects: [{ target: 'expand', skipped: 'the report has no recipient who can be mailed' }],
      refused,
    });
    const all = [...report.participants, ...participants];
    const some = await preview(mail, { report: { ...report, participants: all } });
    expect(some.effects.map(({ target }) => target)).toEqual(['ann@example.com', 'carl@example.com']);
    expect(some.refused).toEqual(refused);
    expect((await preview(mail)).refused).toBeUndefined();
  });

  it('shows what runs by the clock for this meeting alone', async () => {
    const { isWanted, effects } = await preview(recipe('email-digest', { to: ['ann@example.com'] }));
    expect(isWanted).toBe(true);
    expect(effects).toMatchObject([
      { target: 'ann@example.com', rendered: { message: { text: expect.stringContaining('Weekly sync') } } },
    ]);
  });

  it('sends no recap of an empty transcript, and the alert instead', async () => {
    const empty = { report: { ...report, isTranscriptEmpty: true } };
    expect(await preview(recipe('slack-recap'), empty)).toMatchObject({ isWanted: false, effects: [] });
    expect(await preview(recipe('slack-alert'), empty)).toMatchObject({ isWanted: true });
  });

  it('judges by the endpoint that is named, else by one that runs the recipe', async () => {
    const rules = { endpoints: ['hr', 'sales'], endpointRecipes: { hr: [], sales: ['slack-recap'] } };
    expect(await preview(recipe('slack-recap'), rules)).toMatchObject({ isWanted: true });
    expect(await preview(recipe('slack-recap'), { ...rules, endpoint: 'hr' })).toMatchObject({
      isWanted: false,
    });
  });
});

it.each([
  [2000, false],
  [2001, true],
])('says whether it shows all: of %i', async (count, isCut) => {
  const configured = { name: 'recap', use: 'slack-recap', when: {}, with: {} };
  const [bound] = bindRecipes([configured], { slack: { token: 'xoxb-1', channel: 'C1' } });
  if (bound === undefined) throw new Error('it is bound');
  const cut: BoundRecipe = {
    ...bound,
    plan: () => Array.from({ length: count }, (_each, index) => ({ target: `C${index}`, part: 0 })),
    input: { from: 'report', render: () => ({ skip: 'nothing' }) },
  };
  const event = writePreviewEvent({ meetingId: 'm_1', eventKind: 'meeting.completed', nowMs: 0 }, 'default');
  const shown = await previewEffects(cut, event, previewSources(sampleReport, cut, 0).tools);
  expect([shown.effects.length, shown.isCut]).toEqual([2000, isCut]);
});
