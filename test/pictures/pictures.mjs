// Which pictures there are. `prepare` posts what is to be seen, and says where it is: see `shoot` of browser.mjs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defaultTasksDataSourceId } from '../../packages/sandbox/dist/index.js';
import { openConsole } from './console.mjs';
import { renderFolder, renderRequest, renderRows } from './plain-pages.mjs';
import { startTaker } from './taker.mjs';

const link = 'https://app.example.com/meetings/{meeting_id}';

const ofPosted = (name, values, hide) => ({
  name,
  prepare: async ({ post, renderPosted }) => {
    await post(name, values);
    return { show: { html: renderPosted() }, crop: 'article.card', width: 760, hide };
  },
});

const ofMail = (name, { use = name, width = 800, scheme = 'light', values, longest } = {}) => ({
  name,
  prepare: async ({ post, vendors }) => {
    await post(use, values);
    return { show: { html: vendors.mail.emulator.received().at(-1).html }, width, scheme, longest };
  },
});

const followUp = { use: 'email-follow-up', values: { link } };

const ofConsole = (name, which, { width = 1000, scheme = 'light' } = {}) => ({
  name,
  prepare: async () => ({ show: (await openConsole())[which], width, scheme, longest: 1600 }),
});

export const pictures = [
  ofConsole('console-meetings', 'list'),
  ofConsole('console-meeting', 'meeting'),
  ofConsole('console-meeting-dark', 'meeting', { scheme: 'dark' }),
  ofConsole('console-meeting-360', 'meeting', { width: 360 }),
  ofPosted('slack-recap', { link }, 'details'),
  // The newest two of three messages.
  ofPosted('slack-tasks', {}, 'details, article:nth-of-type(n + 3)'),
  ofPosted('slack-alert', {}, 'details'),
  // Folded parts belong to the picture.
  ofPosted('notion-page', { link }),
  {
    name: 'notion-tasks',
    prepare: async ({ post, vendors }) => {
      await post('notion-page');
      const { dataSourceId, emulator } = vendors.notion;
      await post('notion-tasks', {
        dataSource: defaultTasksDataSourceId,
        meetings: dataSourceId,
        initialStatus: 'Not started',
      });
      return renderRows(emulator.received(), defaultTasksDataSourceId);
    },
  },
  ofMail('email-follow-up', followUp),
  ofMail('email-digest', { longest: 2400 }),
  ofMail('email-alert'),
  ...['light', 'dark'].flatMap((scheme) =>
    [360, 800].map((width) => ofMail(`mail-${width}-${scheme}`, { ...followUp, width, scheme })),
  ),
  {
    name: 'http-forward',
    prepare: async ({ post }) => {
      const taker = await startTaker();
      const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
      const include = ['summary', 'decisions', 'tasks'];
      await post('http-forward', { url: taker.url, secret, allow: 'private', include });
      taker.close();
      return { ...renderRequest(taker.arrivals[0]), longest: 2400 };
    },
  },
  {
    name: 'archive-export',
    prepare: async ({ post, reports, client }) => {
      const folder = mkdtempSync(join(tmpdir(), 'aftermeet-archive-'));
      try {
        const archived = reports.slice(0, 2).toReversed();
        const values = { folder, format: ['pdf', 'md'], tags: ['Archived'], createTags: true };
        for (const report of archived) await post('archive-export', values, report);
        const answers = await Promise.all(archived.map(({ meetingId }) => client.reports.get(meetingId)));
        return renderFolder(
          folder,
          answers.map(({ report }) => report),
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
  {
    // Of two that are there already: the console and the message.
    name: 'readme',
    prepare: async () => ({ show: { html: renderPair('console-meeting', 'slack-recap') }, width: 1180 }),
  },
];

function renderPair(left, right) {
  const [one, other] = [left, right].map((name) => {
    const png = readFileSync(new URL(`../../docs/pictures/${name}.png`, import.meta.url));
    return `<div><img src="data:image/png;base64,${png.toString('base64')}"></div>`;
  });
  const style = `body { margin: 0; display: flex; gap: 20px; padding: 16px; background: #eef1f6; }
    div { height: 560px; overflow: hidden; border: 1px solid #d6dbe4; border-radius: 10px; background: #fff; }
    div:first-child { flex: 1.45; } div:last-child { flex: 1; } img { width: 100%; display: block; }
    div:last-child img { margin-top: -47%; }`; // The message stands below the replies to it.
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${one}${other}`;
}
