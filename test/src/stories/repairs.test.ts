import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { describeEachStore, makeTemporaryFolder, openTestStore } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

const writeSettings = (channel: string): string =>
  `recipes: { recap: { use: slack-recap, with: { channel: ${channel}, sections: [outcome, summary, decisions, tasks] } } }\n`;

describeEachStore('a recap to the wrong channel', (kind) => {
  it('is mended with one command: before it was sent, and after', async () => {
    const folder = await makeTemporaryFolder();
    const store = await openTestStore(kind);
    const services = await startServices({
      slack: ({ body }) =>
        JSON.stringify(body).includes('C0MISSING')
          ? { status: 200, body: { ok: false, error: 'channel_not_found' } }
          : 'pass',
    });
    const config = join(folder.path, 'aftermeet.yaml');
    const environment = {
      ...services.settings,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
      WEBHOOK_SECRET: SECRET,
    };
    const { emulator } = services.vendors.slack;
    const seen = () => emulator.received().map(({ channel }) => channel);
    const seeUntil = (wanted: readonly string[]) =>
      waitFor(
        `${wanted.join()} in Slack`,
        () => (JSON.stringify(seen()) === JSON.stringify(wanted) ? true : undefined),
        20_000,
      );
    const run = async (...words: string[]) => {
      const { code, stdout } = await runAftermeet(words, environment);
      return [code, stdout.trimEnd().replaceAll(/\b[0-9a-f]{8}\b/g, 'KEY')] as const;
    };
    const running = new Set<AftermeetProcess>();
    const startWorker = async (channel: string): Promise<AftermeetProcess> => {
      await writeFile(config, writeSettings(channel));
      const worker = await startAftermeet(['worker'], environment);
      running.add(worker);
      return worker;
    };
    try {
      const missing = await startWorker('C0MISSING');
      const receiver = await startAftermeet(['receiver', '--port', '0'], environment);
      running.add(receiver);
      const meetingId = await services.completeMeeting();
      expect(await deliver(`${receiver.facts['url'] ?? ''}/hooks/default`, meetingId)).toBe(200);
      const [, listed] = await waitFor(
        'the failure',
        async () => {
          const answer = await run('effects', 'list', '--json');
          return answer[1].includes('channel_not_found') ? answer : undefined;
        },
        20_000,
      );
      expect(listed).toContain('"state": "failed"');
      await missing.end('SIGTERM');

      const wrong = await startWorker('C0GENERAL');
      expect(await run('effects', 'retry', '--failed', '--yes')).toEqual([
        0,
        'KEY  recap  slack  is sent to the present target of its recipe instead',
      ]);
      await seeUntil(['C0GENERAL']);
      expect((await run('effects', 'list'))[1]).toContain('Nothing needs attention');
      await wrong.end('SIGTERM');

      await startWorker('C0PEOPLE');
      const [, sent] = await runAftermeet(['effects', 'list', '--state', 'sent', '--json'], environment).then(
        ({ code, stdout }) => [code, stdout] as const,
      );
      const key = /"effectKey": "([0-9a-f]{64})"/.exec(sent)?.[1] ?? 'no effect';
      expect(await run('effects', 'recall', key)).toEqual([0, 'KEY  recap  slack  is taken back']);
      expect(seen()).toEqual([]);
      expect(await run('effects', 'resend', key)).toEqual([
        0,
        'The effect KEY is sent to the present target of its recipe instead.',
      ]);
      await seeUntil(['C0PEOPLE']);
      expect(await run('effects', 'recall', '--meeting', meetingId, '--yes')).toEqual([
        0,
        'KEY  recap  slack  is taken back\n1 taken back.',
      ]);
      expect(seen()).toEqual([]);
    } finally {
      await Promise.all([...running].map((each) => each.end('SIGKILL')));
      await services.close();
      await store.dispose();
      folder.remove();
    }
  });
});
