import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createMailStandIn, type MailStandIn } from '@aftermeet/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { runAftermeet } from '../testing/run-aftermeet.ts';

const ann = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const bob = 'a1b2ffffe5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';

let standIn: MailStandIn;
let smtpUrl: string;
let folder: string;
let outbox: string;

beforeAll(async () => {
  standIn = createMailStandIn();
  smtpUrl = (await standIn.listen()).url;
  folder = await mkdtemp(join(tmpdir(), 'aftermeet-drafts-'));
  outbox = join(folder, 'outbox');
  await writeFile(join(folder, 'aftermeet.yaml'), `mail: { outbox: ${outbox} }`);
});

beforeEach(async () => {
  await mkdir(outbox);
  await keep(ann, 'ann@client.example', 'Recap: Kick-off');
  await keep(bob, 'bob@client.example', 'Recap: Review');
});

afterEach(async () => {
  standIn.reset();
  await rm(outbox, { recursive: true });
});

afterAll(async () => {
  await standIn.close();
  await rm(folder, { recursive: true });
});

async function keep(key: string, to: string, subject: string): Promise<void> {
  const lines = [
    'From: Notes <notes@example.com>',
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: <${key}@example.com>`,
    'X-Unsent: 1',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'We ship on Friday =E2=80=93 \u001B[31mreally.',
    '',
  ];
  await writeFile(join(outbox, `${key}.eml`), lines.join('\r\n'));
}

const run = (...words: readonly string[]) =>
  runAftermeet(['drafts', ...words, '--config', join(folder, 'aftermeet.yaml')], {
    environment: { SMTP_URL: smtpUrl, MAIL_FROM: 'Notes <notes@example.com>' },
  });

async function runJson(...words: readonly string[]): Promise<{ code: number; result: unknown }> {
  const { code, stdout } = await run(...words, '--json');
  return { code, result: JSON.parse(stdout) };
}

const received = () => standIn.received().map(({ envelope, subject }) => [...envelope.to, subject]);

describe('aftermeet drafts', () => {
  it('lists what waits, for people and as JSON', async () => {
    const { code, stdout } = await run('list');
    expect(code).toBe(0);
    expect(stdout).toContain('DRAFT');
    expect(stdout).toMatch(/^a1b2c3d4e5f6 .* waiting +ann@client\.example +Recap: Kick-off$/m);
    expect((await runJson('list')).result).toMatchObject([
      { key: expect.any(String), isSending: false, writtenAt: expect.stringMatching(/Z$/) },
      { isSending: false },
    ]);
  });

  it('shows one as its reader gets it, and nothing that a terminal would obey', async () => {
    const { code, stdout } = await run('show', 'a1b2c');
    expect(code).toBe(0);
    expect(stdout).toContain('to       ann@client.example\n');
    expect(stdout).toContain(`file     ${join(outbox, `${ann}.eml`)}\n`);
    expect(stdout).toContain('\nWe ship on Friday – really.\n');
    expect((await runJson('show', ann)).result).toMatchObject({ key: ann, subject: 'Recap: Kick-off' });
  });

  it('sends the one that is approved, once', async () => {
    const { code, result } = await runJson('send', 'a1b2c');
    expect({ code, result }).toEqual({
      code: 0,
      result: [{ key: ann, to: 'ann@client.example', subject: 'Recap: Kick-off', outcome: 'sent' }],
    });
    expect(received()).toEqual([['ann@client.example', 'Recap: Kick-off']]);
    const again = await run('send', ann);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('There is no draft');
    expect(received()).toHaveLength(1);
  });

  it('sends all, and says so when none is left', async () => {
    expect((await run('send', '--all')).code).toBe(0);
    expect(received()).toHaveLength(2);
    expect((await run('send', '--all')).stdout).toBe('No draft waits.\n');
    expect((await run('list')).stdout).toBe('No draft waits.\n');
  });

  it('keeps waiting what the server surely did not take', async () => {
    standIn.faults.add({ kind: 'status', on: 'mail', status: 450 });
    const { code, stdout } = await run('send', 'a1b2c');
    expect(code).toBe(1);
    expect(stdout).toContain('not sent: the mail server answered 450');
    expect((await runJson('list')).result).toHaveLength(2);
  });

  it('discards without sending', async () => {
    const { code, stdout } = await run('discard', 'a1b2f');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a1b2ffffe5f6 bob@client.example discarded\n' });
    expect(await readdir(outbox)).toEqual([`${ann}.eml`]);
    expect(received()).toEqual([]);
  });

  it('takes a word for what became of one that was cut off', async () => {
    await mkdir(join(outbox, 'sending'));
    const cutOff = () => rename(join(outbox, `${ann}.eml`), join(outbox, 'sending', `${ann}.eml`));
    await cutOff();
    expect((await run('discard', ann)).stdout).toContain('it was approved already: settle it');
    expect(await run('settle', 'a1b2c', '--not-sent')).toMatchObject({
      code: 0,
      stdout: 'a1b2c3d4e5f6 ann@client.example waiting\n',
    });
    expect(await runJson('settle', ann, '--sent')).toMatchObject({
      code: 1,
      result: [{ outcome: 'not_settled', cause: 'it waits: only what may be sent is settled' }],
    });
    await cutOff();
    expect((await run('settle', ann, '--sent')).code).toBe(0);
    expect(await readdir(join(outbox, 'sent'))).toEqual([`${ann}.eml`]);
    expect((await run('settle', ann)).code).toBe(2);
    expect(received()).toEqual([]);
  });

  it('asks which one is meant', async () => {
    const { code, stderr } = await run('send', 'a1b2', 'zzz');
    expect(code).toBe(1);
    expect(stderr).toContain('"a1b2" is the beginning of several: a1b2c3d4e5f6, a1b2ffffe5f6.');
    expect(stderr).toContain('There is no draft "zzz": aftermeet drafts list shows what is kept.');
    expect(received()).toEqual([]);
  });
});
