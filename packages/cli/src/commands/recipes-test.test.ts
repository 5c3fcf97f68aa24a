import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { makeFolder, openStore, startVendors } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';

const folder = makeFolder();
const config = join(folder, 'aftermeet.yaml');
const vendors = await startVendors();
const environment = {
  QUEUE_URL: await openStore('postgres'),
  SERVICE_BASE_URL: 'http://127.0.0.1:1',
  SERVICE_API_KEY: 'key',
  ...vendors.environment,
};

beforeAll(async () => {
  await writeFile(
    config,
    `mail: { internal_domains: [example.com] }
recipes:
  recap: { use: slack-recap, when: { title: 'Never*' }, approve: { slack: C0MEETINGS }, with: { language: de } }
  page: { use: notion-page }
  reminders: { use: slack-tasks }
  alarm: { use: slack-alert }
  mails: { use: email-follow-up, with: { to: [all, desk@example.com] } }
  guests: { use: email-follow-up, with: { to: external } }
  digest: { use: email-digest, with: { to: desk@example.com } }
  hook: { use: http-forward, with: { url: 'http://127.0.0.1:1/', secret: whsec_aHVudGVyMmh1bnRlcjJodW50ZXIyaHVudGVyMg==, allow: private } }
`,
  );
});

beforeEach(() => {
  vendors.slack.emulator.reset();
  vendors.mail.emulator.reset();
});

const run = (...words: readonly string[]) =>
  runAftermeet(['recipes', 'test', ...words, '--config', config], { environment });

describe('aftermeet recipes test', () => {
  it('posts a message that says it is a test, whatever the conditions and the approval', async () => {
    const { code, stdout, stderr } = await run('recap');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^A test message was sent by slack to C0MEETINGS: https?:\/\/\S+\n$/);
    expect(code).toBe(0);
    const [message, ...others] = vendors.slack.emulator.received();
    expect(others).toEqual([]);
    expect(message).toMatchObject({ channel: 'C0MEETINGS' });
    expect(JSON.stringify(message)).toContain('This is a test of the recipe recap: no meeting took place.');
    expect(JSON.stringify(message)).toContain('Entscheidungen');
  });

  it('makes a page, and an alert', async () => {
    expect(await run('page')).toMatchObject({ code: 0 });
    expect(vendors.notion.emulator.received().at(-1)?.title).toBe('Test of the recipe page');
    expect(await run('alarm')).toMatchObject({ code: 0 });
    expect(JSON.stringify(vendors.slack.emulator.received())).toContain(
      'This is a test: no meeting has failed.',
    );
  });

  it.each([
    ['mails', ['desk@example.com'], []],
    ['mails', ['ann@example.com'], ['--to', 'ann@example.com']],
    ['guests', ['eve@partner.example'], ['--to', 'eve@partner.example']],
    ['digest', ['desk@example.com'], []],
  ])('mails one recipient of %s: %j', async (name, to, words) => {
    expect(await run(name, ...words)).toMatchObject({ code: 0 });
    expect(vendors.mail.emulator.received().map((mail) => mail.to)).toEqual(to);
    expect(vendors.mail.emulator.received()[0]?.text).toContain(`Test of the recipe ${name}`);
  });

  it('writes to a member by their address', async () => {
    expect(await run('reminders', '--to', 'user@sandbox.example')).toMatchObject({ code: 0 });
    expect(JSON.stringify(vendors.slack.emulator.received())).toContain('A task stands here');
  });

  it('says why nothing was sent', async () => {
    const none = await run('guests');
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toBe(
      'The recipe guests makes no message of the test: the report has no recipient who can be mailed.\n' +
        'If it writes to people who took part, name one: aftermeet recipes test guests --to <address>\n',
    );
    const inside = await run('guests', '--to', 'ann@example.com');
    expect(inside.stderr).toContain('It sends nothing to ann@example.com');
    const away = await run('hook', '--json');
    expect(away.code).toBe(1);
    expect(JSON.parse(away.stdout)).toMatchObject({ kind: 'failed', destination: 'http' });
    expect(await run('recaps')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no recipe "recaps": recap?'),
    });
    expect(vendors.mail.emulator.received()).toEqual([]);
  });

  it('obeys the suppression list', async () => {
    await runAftermeet(['suppress', 'add', 'desk@example.com', '--config', config], { environment });
    const { code, stderr } = await run('digest');
    expect([code, stderr]).toEqual([
      1,
      'Not sent by email to desk@example.com: its recipient is on the suppression list. aftermeet doctor checks the destination.\n',
    ]);
    expect(vendors.mail.emulator.received()).toEqual([]);
  });
});
