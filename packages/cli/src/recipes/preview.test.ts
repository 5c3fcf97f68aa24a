import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RecipePreview } from '@aftermeet/recipes';
import { beforeAll, describe, expect, it } from 'vitest';

import { plainPaint } from '../terminal/format.ts';
import { makeFolder, startSandbox } from '../testing/for-the-file.ts';
import { readItems } from '../testing/read-items.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { renderPreviewPage, savePreviewPage } from './preview-page.ts';
import { formatPreviews, viewPreview } from './preview-text.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 30);

const text = `
endpoints:
  sales: { secrets: [c0ffee00d15ea5ed0badf00ddeadbea7], recipes: [recap, alert, mail] }
recipes:
  recap: { use: slack-recap, with: { channel: C0SALES } }
  page: { use: notion-page }
  mail: { use: email-follow-up, with: { to: [ann@example.com] } }
  alert: { use: slack-alert }
`;

const folder = makeFolder();
const config = join(folder, 'aftermeet.yaml');
const { sandbox, url } = await startSandbox({ clock: () => NOW_MS });
const environment = {
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: 'sandbox_key',
  SLACK_BOT_TOKEN: 'xoxb-hunter2',
  SLACK_CHANNEL: 'C0MEETINGS',
  NOTION_TOKEN: 'hunter2-notion',
  NOTION_DATA_SOURCE_ID: '1f6a9c2e-8d40-4b7e-9a13-0c5d7e8f9a01',
  SMTP_URL: 'smtp://me:hunter2@127.0.0.1:1',
  MAIL_FROM: 'notes@example.com',
};
let meetingId: string;

beforeAll(async () => {
  await writeFile(config, text);
  const recorded = await run('record', 'https://meet.example/1', '--title', 'Sales sync', '--json');
  meetingId = readMeetingId(recorded.stdout);
  sandbox.completeMeeting(meetingId);
});

const run = (...words: readonly string[]) =>
  runAftermeet([...words, '--config', config], { environment, clock: () => NOW_MS });

const preview = (...words: readonly string[]) => run('recipes', 'preview', meetingId, ...words);

function readMeetingId(stdout: string): string {
  const made: unknown = JSON.parse(stdout);
  return String(Object.entries(made ?? {}).find(([name]) => name === 'meetingId')?.[1]);
}

async function previewJson(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await preview('--json', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return readItems(stdout);
}

describe('aftermeet recipes preview', () => {
  it('shows what each recipe would send, and sends nothing', async () => {
    const { code, stdout } = await preview();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Sales sync: meeting\.completed\. Nothing is sent\. No delivery of this meeting is stored\. Each recipe is/,
    );
    expect(stdout).toContain('  yes  the event is meeting.completed  (meeting.completed)\n');
    expect(stdout).toContain('recap (slack-recap) takes this meeting\n');
    expect(stdout).toContain('  → Slack channel C0SALES\n\n    Sales sync\n');
    expect(stdout).toMatch(/^ {4}Decisions\n {4}• Launch on Tuesday/m);
    expect(stdout).toContain('page (notion-page) does not take this meeting\n');
    expect(stdout).toContain('  → mail to ann@example.com\n\n    Recap: Sales sync\n');
    expect(stdout).toContain('--html writes a page. As they are sent: --json.\n');
    expect(stdout).not.toContain('hunter2');
    expect(stdout).not.toContain('\u001B');
  });

  it('has the payloads as JSON, of a failed meeting too', async () => {
    expect(await previewJson('--recipe', 'recap')).toMatchObject([
      {
        name: 'recap',
        use: 'slack-recap',
        destination: 'slack',
        isWanted: true,
        effects: [{ target: 'C0SALES', part: 0, message: { text: expect.stringContaining('Sales sync') } }],
      },
    ]);
    expect(await previewJson('--recipe', 'alert,page')).toMatchObject([
      { name: 'page', isWanted: false, effects: [] },
      { name: 'alert', isWanted: false, effects: [] },
    ]);
    expect(await previewJson('--event', 'meeting.failed')).toMatchObject([
      { name: 'recap', isWanted: false },
      { name: 'page', isWanted: false },
      { name: 'mail', isWanted: false },
      { name: 'alert', isWanted: true, effects: [{ target: 'C0MEETINGS' }] },
    ]);
  });

  it('writes a page that loads nothing and that only its owner can read', async () => {
    const file = join(folder, 'preview.html');
    const { code, stdout } = await preview('--html', file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Written: ${file}\n` });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const page = await readFile(file, 'utf8');
    expect(page).toContain('<title>Preview of Sales sync</title>');
    expect(page).toContain(`http-equiv="Content-Security-Policy"`);
    expect(page).toContain('<iframe sandbox="" title="The mail" srcdoc="&lt;!doctype html');
    expect(page).not.toMatch(/<script|<link|<img|src="http|url\(/i);
    expect(page).not.toContain('hunter2');
  });

  it('makes a new file, and does not replace links and folders', async () => {
    const file = join(folder, 'mine.html');
    await writeFile(file, 'my own', { mode: 0o644 });
    expect((await preview('--html', file)).code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const link = join(folder, 'link.html');
    await symlink(file, link);
    for (const other of [link, folder]) {
      const { code, stderr } = await preview('--html', other);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `Something else is at ${other}: it is not replaced.\nName another file: --html FILE.\n`,
      });
    }
    expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('replaces only an earlier page under the default name', async () => {
    const file = join(folder, 'usual.html');
    await savePreviewPage(file, await renderPreviewPage('m_1', []), { isNamed: false });
    await savePreviewPage(file, await renderPreviewPage('m_2', []), { isNamed: false });
    expect(await readFile(file, 'utf8')).toContain('Preview of m_2');
    await writeFile(file, 'my own');
    await expect(savePreviewPage(file, 'page', { isNamed: false })).rejects.toThrow('it is not replaced');
    expect(await readFile(file, 'utf8')).toBe('my own');
  });

  it('says when there is no report', async () => {
    const recorded = await run('record', 'https://meet.example/2', '--json');
    const { code, stderr } = await run('recipes', 'preview', readMeetingId(recorded.stdout));
    expect(code).toBe(3);
    expect(stderr).toContain('The report is not ready');
    expect(stderr).toContain('--event meeting.failed');
  });
});

describe('aftermeet recipes check', () => {
  it('explains each recipe, as JSON too', async () => {
    const { code, stdout } = await run('recipes', 'check');
    expect(code).toBe(0);
    expect(stdout).toContain('  Endpoints: sales\n  Sends to: slack, C0SALES\n');
    expect(stdout).toContain('  warning: No endpoint runs it');
    expect(stdout).not.toContain('hunter2');
    const json = await run('recipes', 'check', '--json');
    expect(json.code).toBe(0);
    expect(readItems(json.stdout)).toMatchObject([
      { name: 'recap', endpoints: ['sales'], targets: ['C0SALES'], problems: [], warnings: [] },
      { name: 'page', endpoints: [], warnings: [expect.stringContaining('No endpoint runs it')] },
      { name: 'mail', targets: ['ann@example.com'] },
      { name: 'alert', targets: ['C0MEETINGS'] },
    ]);
  });

  it('ends with 1 when a recipe cannot run', async () => {
    const { SLACK_BOT_TOKEN: _token, SLACK_CHANNEL: _channel, ...others } = environment;
    const { code, stdout } = await runAftermeet(['recipes', 'check', '--config', config], {
      environment: others,
    });
    expect(code).toBe(1);
    expect(stdout).toContain(
      "can't run: recipes.recap.use: found slack-recap; expected slack is not configured: set SLACK_BOT_TOKEN\n",
    );
    expect(stdout).toContain(
      "can't run: recipes.alert.with.channel: found nothing; expected the id of a channel, or SLACK_CHANNEL\n",
    );
  });
});

const cutPreview: RecipePreview = {
  name: 'rows',
  use: 'notion-tasks',
  destination: 'notion',
  isScheduled: false,
  isWanted: true,
  conditions: [],
  effects: [{ target: 'tasks', part: 0, skipped: 'the task is gone' }],
  isCut: true,
};

it.each([true, false])('shows in each format whether the list is cut: %s', async (isCut) => {
  const told = 'The preview shows only the first 1; a worker sends all.';
  const previews = [{ ...cutPreview, isCut }];
  expect(formatPreviews(previews, plainPaint).includes(told)).toBe(isCut);
  expect((await renderPreviewPage('Weekly sync', previews)).includes(told)).toBe(isCut);
  expect(previews.map((each) => viewPreview(each).isCut)).toEqual([isCut]);
});

it('shows in each format who cannot be mailed', async () => {
  const told = '1 address of the report cannot be mailed: Doi (a dot right before the @)';
  const refused = { participants: [{ name: 'Doi', cause: 'trailing_dot' }], text: told };
  const previews = [{ ...cutPreview, refused }];
  expect(formatPreviews(previews, plainPaint)).toContain(`\n  ${told}\n`);
  expect(await renderPreviewPage('Weekly sync', previews)).toContain(`<p class="bad">${told}</p>`);
  expect(previews.map((each) => viewPreview(each).refused)).toEqual([refused]);
});
