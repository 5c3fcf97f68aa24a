import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { defaultTasksDataSourceId } from '@aftermeet/sandbox';
import { expect, it } from 'vitest';

import { describeEachStore, makeTemporaryFolder, openTestStore } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, type Services, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

interface Installation {
  readonly services: Services;
  /** Completes a meeting with this content and delivers its event. */
  readonly meet: (content: object) => Promise<void>;
  readonly run: (...words: readonly string[]) => Promise<string>;
}

type StoreKind = Parameters<typeof openTestStore>[0];

/** A receiver and a worker with these settings, for as long as the story takes. */
async function tell(
  kind: StoreKind,
  settings: string,
  intercepts: Parameters<typeof startServices>[0],
  story: (installation: Installation) => Promise<void>,
): Promise<void> {
  const folder = await makeTemporaryFolder();
  const store = await openTestStore(kind);
  const services = await startServices(intercepts);
  const config = join(folder.path, 'aftermeet.yaml');
  await writeFile(config, settings);
  const environment = {
    ...services.settings,
    QUEUE_URL: store.queueUrl,
    AFTERMEET_CONFIG: config,
    WEBHOOK_SECRET: SECRET,
  };
  const running = new Set<AftermeetProcess>();
  try {
    const receiver = await startAftermeet(['receiver', '--port', '0'], environment);
    running.add(receiver);
    running.add(await startAftermeet(['worker'], environment));
    await story({
      services,
      run: async (...words) => (await runAftermeet(words, environment)).stdout,
      async meet(content) {
        const added = await fetch(`${services.serviceUrl}/_sandbox/meetings`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(content),
        });
        const { meeting_id: meetingId } = (await added.json()) as { meeting_id: string };
        expect(await deliver(`${receiver.facts['url'] ?? ''}/hooks/default`, meetingId)).toBe(200);
      },
    });
  } finally {
    await Promise.all([...running].map((each) => each.end('SIGKILL')));
    await services.close();
    await store.dispose();
    folder.remove();
  }
}

describeEachStore('a recap whose channel was archived', (kind) => {
  it('is sent by one command once the channel is back, the message before its replies', async () => {
    let isArchived = true;
    const archived = { status: 200, body: { ok: false, error: 'is_archived' } };
    const settings = 'recipes: { recap: { use: slack-recap, with: { channel: C0RECAP } } }\n';
    await tell(
      kind,
      settings,
      { slack: () => (isArchived ? archived : 'pass') },
      async ({ meet, run, services }) => {
        await meet({
          title: 'Launch',
          summary: 'The launch stays on 21 July.',
          blocks: [{ name: 'risks', text: 'The agency may be late.' }],
        });
        await waitFor(
          'the failure of both',
          async () =>
            (await run('effects', 'list', '--json')).split('"state": "failed"').length === 3
              ? true
              : undefined,
          20_000,
        );
        isArchived = false;
        expect((await run('effects', 'retry', '--failed', '--yes')).trim().split('\n')).toHaveLength(2);
        const messages = await waitFor(
          'the message and its reply',
          () => {
            const found = services.vendors.slack.emulator.received();
            return found.length === 2 ? found : undefined;
          },
          20_000,
        );
        expect(messages.map(({ text }) => text.split('\n')[0])).toEqual(['Launch', 'Risks']);
        expect(messages[1]?.threadTs).toBe(messages[0]?.ts);
        await waitFor(
          'the end of all work',
          async () => ((await run('effects', 'list')).endsWith('nothing waits.\n') ? true : undefined),
          20_000,
        );
      },
    );
  });
});

describeEachStore('a key column that was deleted in Notion', (kind) => {
  it('is added again by itself, and each row comes once', async () => {
    const settings = `recipes: { tasks: { use: notion-tasks, with: { dataSource: ${defaultTasksDataSourceId} } } }\n`;
    await tell(kind, settings, {}, async ({ meet, run, services }) => {
      const { notion } = services.vendors;
      const seeRows = (wanted: readonly string[]) =>
        waitFor(
          `the rows ${wanted.join()}`,
          () => {
            const titles = notion.emulator.received().map(({ title }) => title);
            return JSON.stringify(titles) === JSON.stringify(wanted) ? true : undefined;
          },
          40_000,
        );
      await meet({ title: 'First', summary: 'One.', tasks: { actions: [{ text: 'Book the movers' }] } });
      await seeRows(['Book the movers']);
      const deleted = await fetch(`${notion.url}/v1/data_sources/${defaultTasksDataSourceId}`, {
        method: 'PATCH',
        headers: {
          authorization: 'Bearer ntn_story',
          'notion-version': '2025-09-03',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ properties: { 'Task key': null } }),
      });
      expect(deleted.status).toBe(200);
      await meet({ title: 'Second', summary: 'Two.', tasks: { actions: [{ text: 'Order boxes' }] } });
      await seeRows(['Book the movers', 'Order boxes']);
      await waitFor(
        'the end of all work',
        async () => ((await run('effects', 'list')).endsWith('nothing waits.\n') ? true : undefined),
        20_000,
      );
    });
  });
});
