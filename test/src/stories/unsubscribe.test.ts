import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { describeEachStore, makeTemporaryFolder, openTestStore } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

const settingsFile = `
recipes: { follow-up: { use: email-follow-up, with: { to: [ann@example.com, bob@example.com] } } }
`;

describeEachStore('a reader who unsubscribes by one click', (kind) => {
  it('gets no mail any more, and the others do', async () => {
    const folder = await makeTemporaryFolder();
    const store = await openTestStore(kind);
    const services = await startServices();
    const config = join(folder.path, 'aftermeet.yaml');
    await writeFile(config, settingsFile);
    const environment = {
      ...services.settings,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
      WEBHOOK_SECRET: SECRET,
      ADMIN_TOKEN: 'unsubscribe-token-0123456789',
    };
    const running: AftermeetProcess[] = [];
    const start = async (...[words, more = {}]: [string[], Readonly<Record<string, string>>?]) => {
      const process = await startAftermeet(words, { ...environment, ...more });
      running.push(process);
      return process;
    };
    const { emulator } = services.vendors.mail;
    const mailsTo = (address: string) =>
      emulator.received().filter(({ envelope }) => envelope.to.includes(address));
    const mailTo = (address: string, count: number) =>
      waitFor(
        `mail ${count} to ${address}`,
        () => (mailsTo(address).length === count ? mailsTo(address).at(-1) : undefined),
        20_000,
      );
    try {
      const url = (await start(['receiver', '--port', '0'])).facts['url'] ?? '';
      await start(['worker'], { PUBLIC_URL: url });
      const meet = async (): Promise<void> => {
        expect(await deliver(`${url}/hooks/default`, await services.completeMeeting())).toBe(200);
      };
      await meet();
      const mail = await mailTo('ann@example.com', 1);
      await mailTo('bob@example.com', 1);
      const header = (name: string) => mail?.headers.find((one) => one.name.toLowerCase() === name)?.value;
      const link = /Unsubscribe: (\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
      expect(link.startsWith(`${url}/unsubscribe/`)).toBe(true);
      expect(mail?.html).toContain(link);
      expect(mail?.text).not.toContain('mailto:');
      expect(header('list-unsubscribe')).toBe(`<${link}>`);
      expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');

      const look = async () => await (await fetch(link)).text();
      expect(await look()).toContain('Stop all of them');
      expect(await look()).not.toContain('ann@example.com');
      expect(await runAftermeet(['suppress', 'list'], environment)).toMatchObject({
        code: 0,
        stdout: 'The suppression list is empty.\n',
      });
      // As a mail program does it: RFC 8058, 3.2.
      const clicked = await fetch(link, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
      expect([clicked.status, await clicked.text()]).toEqual([
        200,
        expect.stringContaining('No mail and no direct message goes to a…@example.com any more.'),
      ]);
      const forged = await fetch(`${link.slice(0, -4)}AAAA`, { method: 'POST' });
      expect(forged.status).toBe(404);
      const { stdout } = await runAftermeet(['suppress', 'list'], environment);
      expect(stdout).toMatch(/ann@example\.com +all meetings +\S+ \S+ +the link in a mail/);

      // The workers follow within five seconds; a loaded machine takes longer.
      await new Promise((resolve) => setTimeout(resolve, 9000));
      await meet();
      await mailTo('bob@example.com', 2);
      const skipped = await waitFor(
        'the skipped mail',
        async () => {
          const listed = await runAftermeet(['effects', 'list', '--state', 'skipped', '--json'], environment);
          return listed.stdout.includes('its recipient is on the suppression list')
            ? listed.stdout
            : undefined;
        },
        20_000,
      );
      expect(skipped).not.toContain('ann@example.com');
      expect(mailsTo('ann@example.com')).toHaveLength(1);

      expect(await runAftermeet(['suppress', 'remove', 'ann@example.com'], environment)).toMatchObject({
        code: 0,
        stdout: 'ann@example.com is not on the suppression list any more.\n',
      });
      const key = /"effectKey": "([0-9a-f]{64})"/.exec(skipped)?.[1] ?? 'no effect';
      await new Promise((resolve) => setTimeout(resolve, 9000));
      expect(await runAftermeet(['effects', 'retry', key], environment)).toMatchObject({ code: 0 });
      await mailTo('ann@example.com', 2);
      const bearer = { headers: { authorization: `Bearer ${environment.ADMIN_TOKEN}` } };
      const page = async () => await (await fetch(`${url}/console/suppressed`, bearer)).text();
      expect(await page()).toContain('The list is empty.');
      expect((await runAftermeet(['suppress', 'add', 'cleo@example.com'], environment)).code).toBe(0);
      expect(await page()).toContain('cleo@example.com');
      expect((await runAftermeet(['suppress', 'add', 'cleo'], environment)).code).toBe(2);
      for (const { log } of running) expect(log()).not.toContain('ann@example.com');
    } finally {
      await Promise.all(running.map((each) => each.end('SIGKILL')));
      await services.close();
      await store.dispose();
      folder.remove();
    }
  }, 150_000);
});
