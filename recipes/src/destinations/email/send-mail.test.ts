import { Readable } from 'node:stream';

import { createMailEmulator } from '@aftermeet/sandbox';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { Connector, PreparedSend } from '../../engine/prepared-send.ts';
import { buildDigest } from '../../report/digest.ts';
import { takePrepared } from '../../testing/bring-to-end.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { startSmtpScript } from '../../testing/start-smtp-script.ts';
import type { MailMessage } from './compose-mail.ts';
import { renderFollowUp } from './render-follow-up.ts';
import { openMail } from './send-mail.ts';
import type { StartTimer } from './smtp-connection.ts';

const mail = renderFollowUp(buildDigest({ ...sampleReport, title: 'Weekly\r\nBcc: evil@z.io' }));

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function open(smtpUrl: string, start?: StartTimer): Connector<MailMessage> {
  const settings = { smtpUrl, from: 'Aftermeet <bot@example.com>', to: [] };
  const connector = openMail(settings, undefined, undefined, start);
  closers.unshift(() => connector.close());
  return connector;
}

async function prepare(connector: Connector<MailMessage>, target = 'ann@example.com'): Promise<PreparedSend> {
  return takePrepared(await connector.prepare(mail, { effectKey: 'k1', target }));
}

function openWithFile(smtpUrl: string, file: Buffer, start?: StartTimer): Connector<MailMessage> {
  const exports = {
    stream: () => Promise.resolve({ filename: 'a.pdf', stream: Readable.from([file]) }),
    download: () => Promise.reject(new Error('not needed here')),
  };
  const connector = openMail({ smtpUrl, from: 'bot@example.com', to: [] }, undefined, { exports }, start);
  closers.unshift(() => connector.close());
  return connector;
}

async function prepareFile(connector: Connector<MailMessage>): Promise<PreparedSend> {
  const message = { ...mail, attach: ['pdf' as const] };
  return takePrepared(await connector.prepare(message, { effectKey: 'k1', target: 'ann@example.com' }));
}

async function openScript(start?: StartTimer) {
  const server = await startSmtpScript();
  closers.push(() => server.close());
  return { server, connector: open(server.url, start) };
}

/** Time that passes when it is told to. */
function holdTimer() {
  const running = new Set<{ readonly ms: number; readonly end: () => void }>();
  const start: StartTimer = (ms, end) => {
    const timer = { ms, end };
    running.add(timer);
    return () => void running.delete(timer);
  };
  return {
    start,
    running: () => [...running].map(({ ms }) => ms),
    fire: () => {
      for (const { end } of running) end();
    },
  };
}

describe('openMail', () => {
  it('sends one mail to one recipient, with an id that comes from the effect', async () => {
    const emulator = createMailEmulator();
    closers.push(() => emulator.close());
    const { url } = await emulator.listen();
    const sent = await (await prepare(open(url))).send();
    expect(sent).toEqual({ result: 'sent', reference: '<k1@example.com>' });
    const received = emulator.received()[0];
    expect(received?.envelope).toEqual({ from: 'bot@example.com', to: ['ann@example.com'] });
    expect(received?.messageId).toBe('<k1@example.com>');
    expect(received?.subject).toBe('Recap: Weekly Bcc: evil@z.io');
    expect(received?.from).toContain('Aftermeet');
    expect(received?.text).toContain('We agreed on the plan.');
    expect(received?.html).toContain('<h1');
    expect(received?.headers).toContainEqual({ name: 'auto-submitted', value: 'auto-generated' });
    expect(received?.headers.map(({ name }) => name)).not.toContain('bcc');
  });

  it('tells what it knows, whatever the address of the server wants to have otherwise', async () => {
    const { server } = await openScript();
    const connector = open(`${server.url}?logger=true&pool=false&maxRequeues=5&disableFileAccess=false`);
    server.faults = { DOT: 'drop' };
    expect(await (await prepare(connector)).send()).toMatchObject({ result: 'unknown' });
    expect(server.messages).toHaveLength(1);
  });

  it('does not send what it cannot read to its end, and says nothing against the mail server', async () => {
    const { server } = await openScript();
    const connector = openWithFile(server.url, Buffer.alloc(500_000));
    const prepared = await prepareFile(connector);
    await connector.close();
    expect(await prepared.send()).toEqual({
      result: 'not_sent_retry',
      cause: 'its attachments cannot be read any more',
      contact: 'none',
    });
    expect(server.messages).toHaveLength(0);
  });

  it('says of a mailbox that is away nothing against the mail server', async () => {
    const imap = { url: 'imap://bot:secret@127.0.0.1:1' };
    const connector = openMail({ smtpUrl: 'smtp://127.0.0.1:1', from: 'bot@example.com', to: [], imap });
    closers.unshift(() => connector.close());
    expect(await (await prepare(connector)).probe(0)).toEqual({
      result: 'not_asked',
      cause: 'the mailbox cannot be used now (ECONNREFUSED)',
      contact: 'none',
    });
  });

  it.each(['EHLO', 'MAIL', 'RCPT', 'DATA'])(
    'knows that nothing was sent when %s ends the connection',
    async (command) => {
      const { server, connector } = await openScript();
      server.faults = { [command]: 'drop', HELO: 'drop' };
      expect(await (await prepare(connector)).send()).toMatchObject({ result: 'not_sent_retry' });
      expect(server.messages).toHaveLength(0);
    },
  );

  it.each([
    ['EHLO', 10_000, 'not_sent_retry', 0],
    ['RCPT', 10_000, 'not_sent_retry', 0],
    ['DOT', 50_000, 'unknown', 1],
  ])('waits for an answer to %s for %i ms, and no longer', async (command, ms, expected, messages) => {
    const timer = holdTimer();
    const { server, connector } = await openScript(timer.start);
    server.faults = { [command]: 'silence' };
    const prepared = await prepare(connector);
    const sending = prepared.send();
    await server.reached(command);
    await vi.waitFor(() => expect(timer.running()).toEqual([ms]));
    timer.fire();
    expect(await sending).toMatchObject({ result: expected });
    expect(timer.running()).toEqual([]);
    expect(server.messages).toHaveLength(messages);
    server.faults = {};
    expect(await prepared.send()).toMatchObject({ result: 'sent' });
    expect(server.messages).toHaveLength(messages + 1);
  });

  it('grants a server a minute, which is what the lease has to cover', async () => {
    const { connector } = await openScript();
    expect((await prepare(connector)).timeoutMs).toBe(60_000);
  });

  it('grants a large mail the time that its bytes take, and its lease as much', async () => {
    const timer = holdTimer();
    const server = await startSmtpScript();
    closers.push(() => server.close());
    server.faults = { EHLO: 'silence' };
    const connector = openWithFile(server.url, Buffer.alloc(15_000_000), timer.start);
    const prepared = await prepareFile(connector);
    expect(prepared.timeoutMs).toBe(101_052);
    const sending = prepared.send();
    await server.reached('EHLO');
    expect(timer.running()).toEqual([51_052]);
    timer.fire();
    expect(await sending).toMatchObject({ result: 'not_sent_retry' });
  });

  it.each([
    ['DOT', '554 spam', 'permanent', 'the mail server answered 554 to DATA'],
    ['DOT', '451 later', 'not_sent_retry', 'the mail server answered 451 to DATA'],
    ['RCPT', '550 ann@example.com is unknown', 'permanent', 'the mail server answered 550 to RCPT TO'],
  ])('reads an answer to %s, and repeats nothing but its code: %s', async (command, reply, result, cause) => {
    const { server, connector } = await openScript();
    server.faults = { [command]: { reply } };
    expect(await (await prepare(connector)).send()).toMatchObject({ result, cause });
  });

  it('tells two mails under way at once apart', async () => {
    const { server, connector } = await openScript();
    server.faults = { DOT: 'drop' };
    const [one, other] = await Promise.all([
      (await prepare(connector)).send(),
      (await prepare(connector, 'bob@example.com')).send(),
    ]);
    expect([one.result, other.result]).toEqual(['unknown', 'unknown']);
    server.faults = { RCPT: 'drop' };
    expect(await (await prepare(connector)).send()).toMatchObject({ result: 'not_sent_retry' });
  });

  it('refuses a recipient that is more than one address', async () => {
    const connector = open('smtp://127.0.0.1:1');
    const label = { effectKey: 'k1', target: 'b@x.io\r\nBcc: evil@z.io' };
    expect(await connector.prepare(mail, label)).toEqual({
      result: 'permanent',
      cause: 'the recipient is not one valid address',
      contact: 'none',
    });
  });

  const wrong = 'mail.example.com:password-of-bot';
  it.each([
    ['MAIL_FROM', { from: 'nobody' }],
    ['SMTP_URL', { smtpUrl: wrong }],
    ['IMAP_URL', { imap: { url: wrong } }],
  ])('refuses a %s that is not one, without repeating its password', (setting, changes) => {
    const settings = { smtpUrl: 'smtp://127.0.0.1:1', from: 'bot@example.com', to: [], ...changes };
    const openWrong = (): unknown => openMail(settings);
    expect(openWrong).toThrow(new RegExp(setting));
    expect(openWrong).not.toThrow(/password-of/);
  });
});
