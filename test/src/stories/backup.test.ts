import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';
import { z } from 'zod';

import { describeEachStore, makeTemporaryFolder } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

const itemsSchema = z.object({ items: z.array(z.object({ meetingId: z.string() })) });

describeEachStore(
  'a backup of the embedded queue',
  () => {
    it('is taken under load, brings everything back on a new folder, and sends nothing twice', async () => {
      const folder = await makeTemporaryFolder();
      const services = await startServices();
      const store = join(folder.path, 'store');
      const backup = join(folder.path, 'backup');
      const environment = {
        ...services.settings,
        NOTION_TOKEN: '',
        NOTION_DATA_SOURCE_ID: '',
        SMTP_URL: '',
        MAIL_FROM: '',
        MAIL_TO: '',
        QUEUE_URL: `embedded:${store}`,
        WEBHOOK_SECRET: SECRET,
      };
      const slack = services.vendors.slack.emulator;
      let running: AftermeetProcess[] = [];
      const start = async (): Promise<string> => {
        const receiver = await startAftermeet(['receiver', '--port', '0'], environment);
        running = [receiver, await startAftermeet(['worker'], environment)];
        return `${receiver.facts['url'] ?? ''}/hooks/default`;
      };
      const run = async (...words: string[]): Promise<string> => {
        const { code, stdout, stderr } = await runAftermeet(words, environment);
        expect(code, stderr).toBe(0);
        return stdout;
      };
      const listDeliveries = async (): Promise<string[]> => {
        const listed = await run('deliveries', 'list', '--limit', 'all', '--json');
        return itemsSchema.parse(JSON.parse(listed)).items.map(({ meetingId }) => meetingId);
      };
      const listSent = async (): Promise<string[]> => {
        const { items } = itemsSchema.parse(
          JSON.parse(await run('effects', 'list', '--state', 'sent', '--json')),
        );
        return items.map(({ meetingId }) => meetingId).toSorted();
      };
      const countMessages = (title: string): number =>
        slack.received().filter((message) => JSON.stringify(message).includes(title)).length;
      try {
        let hook = await start();
        const sent = await services.completeMeeting(undefined, 'Sent before');
        expect(await deliver(hook, sent, SECRET, 'Sent before')).toBe(200);
        await waitFor('the first message', async () => (await listSent()).at(0), 30_000);
        // From now on deliveries wait in the queue.
        await running.pop()?.end('SIGTERM');
        const waiting = await services.completeMeeting(undefined, 'Waits meanwhile');
        expect(await deliver(hook, waiting, SECRET, 'Waits meanwhile')).toBe(200);
        const ledger = await listSent();

        // Deliveries go on while it is written.
        const saving = { isOver: false };
        const flood = (async () => {
          const statuses: number[] = [];
          for (let index = 0; !saving.isOver; index += 1) {
            statuses.push(await deliver(hook, `flood-${index}`));
          }
          return statuses;
        })();
        const before = await listDeliveries();
        const saved = await run('backup', backup, '--json');
        saving.isOver = true;
        const statuses = await flood;
        expect(statuses.length).toBeGreaterThan(0);
        expect(new Set(statuses)).toEqual(new Set([200]));
        expect(JSON.parse(saved)).toMatchObject({ folder: backup, release: '0.1.0' });
        const inUse = await runAftermeet(['restore', backup], environment);
        expect(inUse.code).toBe(1);
        expect(inUse.stderr).toBe(
          '1 other process(es) use the queue. Nothing was restored.\nStop receiver and worker first.\n',
        );
        await Promise.all(running.map((each) => each.end('SIGTERM')));

        await rename(store, join(folder.path, 'lost'));
        expect(await run('restore', backup)).toContain(`embedded:${store} now holds the backup: `);
        expect(await listSent()).toEqual(ledger);
        expect(await listDeliveries()).toEqual(expect.arrayContaining(before));
        const again = await runAftermeet(['restore', backup], environment);
        expect(again.code).toBe(1);
        expect(again.stderr).toMatch(/^The queue is not empty \(\w+\)\. Nothing was restored\.\n/);

        hook = await start();
        const messages = countMessages('Sent before');
        expect(messages).toBeGreaterThan(0);
        // The service sends it once more.
        expect(await deliver(hook, sent, SECRET, 'Sent before')).toBe(200);
        await waitFor(
          'what waited',
          async () => ((await listSent()).includes(waiting) ? true : undefined),
          60_000,
        );
        expect(countMessages('Sent before')).toBe(messages);
        expect(countMessages('Waits meanwhile')).toBe(messages);
      } finally {
        await Promise.all(running.map((each) => each.end('SIGKILL')));
        await services.close();
        folder.remove();
      }
    }, 180_000);
  },
  ['embedded'],
);
