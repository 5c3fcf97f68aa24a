// Which pictures there are. `prepare` posts what is to be seen, and says where it is: see `shoot` of browser.mjs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defaultTasksDataSourceId } from '../../packages/sandbox/dist/index.js';
import { renderFolder, renderRequest, renderRows } from './plain-pages.mjs';
import { report } from './sample-meeting.mjs';
import { startTaker } from './taker.mjs';

const link = 'https://app.example.com/meetings/{meeting_id}';

const ofSlack = (name, values, crop = 'article.card') => ({
  name,
  prepare: async ({ post, vendors }) => {
    await post(name, values);
    return { show: vendors.slack.url, crop, width: 760, hide: 'details, .metadata' };
  },
});

const ofMail = (name, { use = name, width = 800, scheme = 'light', values } = {}) => ({
  name,
  prepare: async ({ post, vendors }) => {
    await post(use, values);
    return { show: { html: vendors.mail.emulator.received().at(-1).html }, width, scheme };
  },
});

const followUp = { use: 'email-follow-up', values: { link } };

export const pictures = [
  ofSlack('slack-recap', { link }),
  ofSlack('slack-tasks', {}),
  ofSlack('slack-alert'),
  {
    name: 'notion-page',
    prepare: async ({ post, vendors }) => {
      await post('notion-page', { link });
      return { show: vendors.notion.url, crop: 'article.card', width: 760 };
    },
  },
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
  ofMail('email-digest'),
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
      return renderRequest(taker.arrivals[0]);
    },
  },
  {
    name: 'archive-export',
    prepare: async ({ post, hold, client }) => {
      const folder = mkdtempSync(join(tmpdir(), 'aftermeet-archive-'));
      try {
        const held = [];
        for (const title of ['Northwind: renewal', report.title]) {
          held.push(await hold(title));
          await post(
            'archive-export',
            { folder, format: ['pdf', 'md'], tags: ['Archived'], createTags: true },
            held.at(-1),
          );
        }
        const reports = await Promise.all(held.map(({ meetingId }) => client.reports.get(meetingId)));
        return renderFolder(
          folder,
          reports.map((answer) => answer.report),
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
];
