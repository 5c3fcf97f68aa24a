import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { root } from '../pins/picture.ts';
import { describeEachStore, type RedisServer, startRedisServer } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { SECRET, type Services, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

describeEachStore(
  'a user of Redis with the rules of docs/stores.md',
  () => {
    let server: RedisServer;
    let admin: Redis;
    let services: Services;
    const running: AftermeetProcess[] = [];

    beforeEach(async () => {
      server = await startRedisServer();
      admin = new Redis(server.url);
      services = await startServices();
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((each) => each.end('SIGKILL')));
      await services.close();
      admin.disconnect();
      await server.stop();
    });

    it('takes a meeting from the receiver to Slack, Notion and mail, and is refused nothing', async () => {
      const rules = await readRules();
      await admin.call('ACL', ['SETUSER', ...rules]);
      await admin.call('ACL', ['LOG', 'RESET']);
      const queue = { QUEUE_URL: server.url.replace('redis://', 'redis://aftermeet:PASSWORD@') };
      const receiver = await startAftermeet(['receiver', '--port', '0'], {
        ...queue,
        WEBHOOK_SECRET: SECRET,
      });
      running.push(receiver);
      const worker = await startAftermeet(['worker'], { ...queue, ...services.settings });
      running.push(worker);
      const { slack, notion, mail } = services.vendors;
      await services.completeMeeting(`${receiver.facts['url']}/hooks/default`);
      await waitFor('a message', () => slack.emulator.received().length === 1 || undefined, 20_000);
      await waitFor('a page', () => notion.emulator.received().length === 1 || undefined, 20_000);
      await waitFor('a mail', () => mail.emulator.received().length === 1 || undefined, 20_000);
      for (const command of [
        'meetings list',
        'deliveries list',
        'effects list',
        'pause slack',
        'resume slack',
      ]) {
        const { code, stderr } = await runAftermeet(command.split(' '), { ...queue, ...services.settings });
        expect([command, code, stderr]).toEqual([command, 0, expect.not.stringContaining('NOPERM')]);
      }
      await Promise.all([worker.end('SIGTERM'), receiver.end('SIGTERM')]);

      for (const { log } of [receiver, worker]) {
        // Each line is one of our log: the clients write nothing of their own to the console.
        const lines = log().trim().split('\n');
        const levels = lines.map((line) => (JSON.parse(line) as { level: number }).level);
        expect(levels.filter((level) => level > 40)).toEqual([]);
        expect(log()).toContain('this Redis does not show its settings');
        expect(log()).toContain('this user of Redis may not ask INFO');
      }
      expect(await listRefused(admin)).toEqual(['config', 'info']);
    });
  },
  ['redis'],
);

/** The name and the rules of the command in the document. */
async function readRules(): Promise<string[]> {
  const text = await readFile(join(root, 'docs/stores.md'), 'utf8');
  const [, rules] = /^ACL SETUSER (.*)$/m.exec(text) ?? [];
  return rules?.split(' ') ?? [];
}

/** What Redis has refused to users. */
async function listRefused(admin: Redis): Promise<string[]> {
  const text = JSON.stringify(await admin.call('ACL', 'LOG', '100'));
  const names = [...text.matchAll(/"object"[,:]"([^"|]+)/g)].map(([, name = '']) => name);
  return [...new Set(names)].toSorted();
}
