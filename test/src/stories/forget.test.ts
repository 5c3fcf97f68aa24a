import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { z } from 'zod';

import { describeEachStore, makeTemporaryFolder, openTestStore } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

const settingsFile = (folder: string): string => `
recipes:
  recap: { use: slack-recap, with: { channel: C0RECAP } }
  page: { use: notion-page }
  mail: { use: email-follow-up, with: { to: [ann@example.com] } }
  file: { use: archive-export, with: { folder: ${folder} } }
`;

const receiptSchema = z.object({
  recalled: z.array(z.object({ destination: z.string() })),
  stays: z.array(z.object({ recipe: z.string(), outcome: z.object({ kind: z.string() }) })),
  deliveries: z.number(),
});

/** Everything that a Redis holds, as text. */
async function readAll(url: string): Promise<string> {
  const client = new Redis(url);
  const texts: unknown[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    if (type === 'string') texts.push(key, await client.get(key));
    else if (type === 'hash') texts.push(key, await client.hgetall(key));
    else if (type === 'list') texts.push(key, await client.lrange(key, 0, -1));
    else if (type === 'set') texts.push(key, await client.smembers(key));
    else if (type === 'zset') texts.push(key, await client.zrange(key, '0', '-1'));
    else texts.push(key, await client.xrange(key, '-', '+'));
  }
  client.disconnect();
  return JSON.stringify(texts);
}

describeEachStore('a meeting that is to be forgotten', (kind) => {
  it('leaves no message, page, file, title or address behind, and says what it cannot remove', async () => {
    const folder = await makeTemporaryFolder();
    const store = await openTestStore(kind);
    const services = await startServices();
    const config = join(folder.path, 'aftermeet.yaml');
    await writeFile(config, settingsFile(folder.path));
    const environment = {
      ...services.settings,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
      WEBHOOK_SECRET: SECRET,
    };
    const { slack, notion, mail } = services.vendors;
    const running: AftermeetProcess[] = [];
    const forget = async (...options: string[]) => {
      const { code, stdout } = await runAftermeet(['forget', meetingId, '--json', ...options], environment);
      return { code, receipt: receiptSchema.parse(JSON.parse(stdout)) };
    };
    let meetingId = '';
    const title = 'Termination of Mr Quill';
    try {
      const receiver = await startAftermeet(['receiver', '--port', '0'], environment);
      running.push(receiver, await startAftermeet(['worker'], environment));
      meetingId = await services.completeMeeting(undefined, title);
      const otherId = await services.completeMeeting(undefined, 'Another meeting');
      const hook = `${receiver.facts['url'] ?? ''}/hooks/default`;
      expect(await deliver(hook, meetingId, SECRET, title)).toBe(200);
      expect(await deliver(hook, otherId, SECRET, 'Another meeting')).toBe(200);
      const listSent = async (): Promise<readonly string[]> => {
        const listed = await runAftermeet(['effects', 'list', '--state', 'sent', '--json'], environment);
        const entries = z
          .array(z.object({ meetingId: z.string(), recipe: z.string() }))
          .parse(JSON.parse(listed.stdout).items);
        return entries.filter((one) => one.meetingId === meetingId).map(({ recipe }) => recipe);
      };
      const sent = await waitFor(
        'everything sent',
        async () => {
          const waiting = await runAftermeet(['effects', 'list'], environment);
          if (!waiting.stdout.endsWith('nothing waits.\n')) return undefined;
          const names = await listSent();
          return new Set(names).size === 4 && mail.emulator.received().length === 2 ? names : undefined;
        },
        30_000,
      );
      const before = slack.emulator.received().length;

      const planned = await forget();
      expect(planned.receipt.recalled).toHaveLength(sent.length);
      expect(slack.emulator.received()).toHaveLength(before);

      const { code, receipt } = await forget('--yes');
      expect(code).toBe(1);
      expect(receipt.stays).toEqual([{ recipe: 'mail', outcome: { kind: 'impossible' } }]);
      expect(receipt.recalled).toHaveLength(sent.length - 1);
      expect(receipt.deliveries).toBe(1);
      expect(JSON.stringify(slack.emulator.received())).not.toContain('Quill');
      expect(slack.emulator.received()).toHaveLength(before / 2);
      const pages = notion.emulator.received().filter(({ isInTrash }) => !isInTrash);
      expect(pages.map((page) => page.title)).toEqual(['Another meeting']);
      if (kind === 'redis') {
        const stored = await readAll(store.queueUrl);
        expect(stored).not.toContain('Quill');
        expect(stored).toContain('Another meeting');
        expect(stored).toContain(meetingId);
      }
      const shown = await runAftermeet(['meetings', 'list', '--json'], environment);
      expect(shown.stdout).not.toContain(meetingId);
      expect(shown.stdout).toContain(otherId);

      // The same delivery comes once more, and the meeting is found again.
      expect(await deliver(hook, meetingId, SECRET, title)).toBe(200);
      expect((await runAftermeet(['reconcile', '--since', '2d'], environment)).code).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect(slack.emulator.received()).toHaveLength(before / 2);
      expect(mail.emulator.received()).toHaveLength(2);
    } finally {
      await Promise.all(running.map((each) => each.end('SIGKILL')));
      await services.close();
      await store.dispose();
      folder.remove();
    }
  }, 120_000);
});
