import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { describeEachStore, openTestStore, type TestStore } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { completeMeeting, SECRET } from './services.ts';
import { waitFor } from './wait-for.ts';

describeEachStore('receiver, worker and sandbox as separate processes', (kind) => {
  let store: TestStore;
  const running: AftermeetProcess[] = [];

  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.end('SIGKILL')));
  });
  afterAll(() => store.dispose());

  async function start(words: readonly string[], environment: Readonly<Record<string, string>>) {
    const started = await startAftermeet(words, { QUEUE_URL: store.queueUrl, ...environment });
    running.push(started);
    return started;
  }

  it('deliver a meeting to Slack, Notion and e-mail, survive SIGHUP and stop on SIGTERM', async () => {
    const sandbox = await start(['sandbox', '--port', '0'], {});
    const { facts } = sandbox;
    const service = {
      SERVICE_BASE_URL: facts['SERVICE_BASE_URL'] ?? '',
      SERVICE_API_KEY: facts['SERVICE_API_KEY'] ?? '',
    };
    // It is named at the start, and never asked.
    const elsewhere = { SERVICE_MCP_URL: 'http://mcp.invalid' };
    const [receiver, worker] = await Promise.all([
      start(['receiver', '--port', '0'], { ...service, ...elsewhere, WEBHOOK_SECRET: SECRET }),
      start(['worker'], {
        ...facts,
        ...elsewhere,
        SLACK_BOT_TOKEN: 'xoxb-story',
        SLACK_CHANNEL: 'C0STORY',
        NOTION_TOKEN: 'ntn_story',
        MAIL_FROM: 'aftermeet@example.com',
        MAIL_TO: 'a@example.com,b@example.com',
      }),
    ]);
    for (const { pid } of [sandbox, receiver, worker]) process.kill(pid, 'SIGHUP');
    const ignored = 'SIGHUP ignored: this process reads its settings only when it starts';
    for (const { log } of [sandbox, worker]) {
      await waitFor('a line about SIGHUP', () => log().includes(ignored) || undefined, 20_000);
    }
    await waitFor('a reload', () => receiver.log().includes('endpoints reloaded') || undefined, 20_000);
    const sent = await runAftermeet(['send', `${receiver.facts['url']}/hooks/default`, '--wait', '20s'], {
      WEBHOOK_SECRET: SECRET,
      QUEUE_URL: store.queueUrl,
    });
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    expect(sent.stdout).toMatch(/answered 200: [^]*A worker has taken it after \d+ s\.\n$/);
    await waitFor(
      'the test delivery',
      () => worker.log().includes('a test delivery: nothing is sent') || undefined,
      20_000,
    );
    const hookUrl = `${receiver.facts['url']}/hooks/default`;
    await completeMeeting(service.SERVICE_BASE_URL, service.SERVICE_API_KEY, hookUrl);

    const pages = [
      new URL(facts['SLACK_API_URL'] ?? '').origin,
      facts['NOTION_BASE_URL'],
      facts['pages']?.split(' ').at(-1),
    ];
    await waitFor(
      'one message, one page and two mails',
      async () => {
        const counts = await Promise.all(pages.map((page) => countReceived(`${page}/_sandbox/received`)));
        return counts.join() === '1,1,2' ? true : undefined;
      },
      20_000,
    );

    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await receiver.end('SIGTERM')).toBe(0);
    expect(await sandbox.end('SIGTERM')).toBe(0);
    for (const { log } of [receiver, worker]) {
      expect(
        log().match(/not encrypted, .*: SERVICE_MCP_URL \(mcp\.invalid; https:\/\/ encrypts\)/g),
      ).toHaveLength(1);
    }
    for (const { log } of [sandbox, receiver, worker])
      expect(log()).not.toMatch(/whsec_|xoxb-|ntn_|\b(?:a|b|aftermeet)@example/);
  });
});

const receivedSchema = z.object({ received: z.array(z.unknown()) });

async function countReceived(address: string): Promise<number> {
  return receivedSchema.parse(await (await fetch(address)).json()).received.length;
}
