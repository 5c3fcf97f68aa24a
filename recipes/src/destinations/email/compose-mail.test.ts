import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';

import { createMailEmulator } from '@aftermeet/sandbox';
import { afterEach, describe, expect, it } from 'vitest';

import type { SendResult } from '../../engine/prepared-send.ts';
import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { startSmtpScript } from '../../testing/start-smtp-script.ts';
import { composeMail, type MailMessage } from './compose-mail.ts';
import { writeFooter, writeUnsubscribeUrl } from './mail-page.ts';
import { renderFollowUp } from './render-follow-up.ts';
import { openMail } from './send-mail.ts';
import type { MailSettings } from './settings.ts';

const message = renderFollowUp(buildDigest(sampleReport));

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const service = {
  exports: {
    download: () => Promise.reject(new Error('not needed here')),
    stream: () =>
      Promise.resolve({ stream: Readable.from([Buffer.from('%PDF-1.7')]), filename: 'Wöchentlich "x".pdf' }),
  },
};

async function send(
  smtpUrl: string,
  settings: Partial<MailSettings>,
  mail: MailMessage,
): Promise<SendResult> {
  const connector = openMail({ smtpUrl, from: 'bot@example.com', to: [], ...settings }, undefined, service);
  closers.unshift(() => connector.close());
  const preparation = await connector.prepare(mail, { effectKey: 'k1', target: 'ann@example.com' });
  if (preparation.result === 'no_recipient') throw new Error(preparation.cause);
  return preparation.result === 'ready' ? await preparation.prepared.send() : preparation;
}

async function deliver(settings: Partial<MailSettings> = {}, mail: MailMessage = message) {
  const emulator = createMailEmulator();
  closers.push(() => emulator.close());
  const { url } = await emulator.listen();
  expect(await send(url, settings, mail)).toMatchObject({ result: 'sent' });
  const received = emulator.received()[0];
  if (received === undefined) throw new Error('no mail');
  return { ...received, header: new Map(received.headers.map(({ name, value }) => [name, value])) };
}

describe('the headers of a mail', () => {
  it('say what it is, whose conversation it belongs to and how to end it', async () => {
    const { header, raw } = await deliver();
    expect(Object.fromEntries(header)).toMatchObject({
      'message-id': '<k1@example.com>',
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'list-id': '<aftermeet.example.com>',
      'list-unsubscribe': '<mailto:bot@example.com?subject=unsubscribe>',
      'in-reply-to': '<meeting.54f0b300c9515311db9a80267377f24a@example.com>',
      references: '<meeting.54f0b300c9515311db9a80267377f24a@example.com>',
    });
    expect(header.has('list-unsubscribe-post')).toBe(false);
    expect(raw).toMatch(/multipart\/alternative[^]*text\/plain[^]*text\/html/);
  });

  it('carry the own link of the receiver where the settings name none', () => {
    const rendered = renderFollowUp(buildDigest(sampleReport), {
      footer: writeFooter(
        'you took part',
        writeUnsubscribeUrl({ from: 'bot@example.com' }, 'ann@example.com'),
      ),
    });
    const own = 'https://hooks.example.com/unsubscribe/x?a=1&b=2';
    const label = {
      effectKey: 'k1',
      to: 'ann@example.com',
      from: { name: '', address: 'bot@example.com' },
      unsubscribeUrl: own,
    };
    const none = { files: [], notes: [] };
    const settings = { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: [] };
    const mail = composeMail(rendered, label, none, settings);
    expect(mail.text).toContain(`Unsubscribe: ${own}`);
    expect(mail.html).toContain('href="https://hooks.example.com/unsubscribe/x?a=1&amp;b=2"');
    for (const text of [mail.text, mail.html]) expect(text).not.toContain('mailto:');
    expect(mail.headers).toMatchObject({
      'List-Unsubscribe': `<${own}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    const theirs = { ...settings, unsubscribeUrl: 'https://example.com/stop' };
    const { headers } = composeMail(rendered, label, none, theirs);
    expect(headers).toMatchObject({ 'List-Unsubscribe': '<https://example.com/stop>' });
    // The address does not say who it is.
    expect(headers).not.toHaveProperty('List-Unsubscribe-Post');
  });

  it('carry what the settings add', async () => {
    const { header } = await deliver({
      replyTo: 'team@example.com',
      unsubscribeUrl: 'https://example.com/stop/{recipient}',
      idempotencyHeader: 'X-EE-Idempotency-Key',
    });
    expect(header.get('reply-to')).toBe('team@example.com');
    expect(header.get('list-unsubscribe')).toMatch(/^<https:\/\/example\.com\/stop\/[0-9a-f]{64}>$/);
    expect(header.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header.get('x-ee-idempotency-key')).toBe('k1');
  });

  it.each([
    [{ replyTo: 'a@x.io\r\nBcc: evil@z.io' }, /reply_to/],
    [{ unsubscribeUrl: 'https://x.io>\r\nBcc: evil@z.io' }, /unsubscribe_url/],
    [{ unsubscribeUrl: 'http://x.io/stop' }, /unsubscribe_url/],
    [{ idempotencyHeader: 'X: y\r\nBcc' }, /idempotency_header/],
  ])('take no settings that would be more than one header: %j', async (settings, words) => {
    await expect(send('smtp://127.0.0.1:1', settings, message)).rejects.toThrow(words);
  });

  it.each([
    ['Ed25519', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })],
    ['no key', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'],
  ])('take no key that would sign nothing: %s', async (_name, key) => {
    const dkim = { domain: 'example.com', selector: 's1', privateKey: key.toString() };
    const sent = send('smtp://127.0.0.1:1', { dkim }, message);
    await expect(sent).rejects.toThrow(/private_key\) cannot be used/);
    await expect(sent).rejects.not.toThrow(/BEGIN|MIIB/);
  });

  it('are signed, those of unsubscribing too, but not the id that a relay may change', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const dkim = { domain: 'example.com', selector: 's1', privateKey };
    const { header } = await deliver({ dkim, unsubscribeUrl: 'https://example.com/stop/{recipient}' });
    const signature = header.get('dkim-signature') ?? '';
    expect(signature).toContain('d=example.com; q=dns/txt; s=s1;');
    const signed = /[;]h=([^;]*);/.exec(signature.replaceAll(' ', ''))?.[1]?.toLowerCase().split(':') ?? [];
    expect(signed).toEqual(
      expect.arrayContaining(['from', 'subject', 'to', 'date', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
    expect(signed).not.toContain('message-id');
  });
});

describe('the parts of a mail', () => {
  it('hold the files of the meeting, streamed', async () => {
    const { attachments } = await deliver({}, { ...message, attach: ['pdf'] });
    expect(attachments).toEqual([
      { name: 'Wöchentlich "x".pdf', contentType: 'application/pdf', sizeBytes: 8 },
    ]);
  });

  it('hold the days of its tasks, for the calendar and as a file', async () => {
    const calendar = [
      { key: 'a', summary: 'Send', description: '', date: '2026-07-10', stampedAt: '2026-07-07T11:00:00Z' },
    ];
    const { raw, attachments } = await deliver({}, { ...message, calendar });
    expect(raw).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=PUBLISH/i);
    expect(attachments).toContainEqual(
      expect.objectContaining({ name: 'tasks.ics', contentType: 'application/ics' }),
    );
  });

  it('say in text and HTML which file is missing', async () => {
    const missing = { ...message, attach: ['docx' as const] };
    const emulator = createMailEmulator();
    closers.push(() => emulator.close());
    const { url } = await emulator.listen();
    const connector = openMail({ smtpUrl: url, from: 'bot@example.com', to: [] });
    closers.unshift(() => connector.close());
    const preparation = await connector.prepare(missing, { effectKey: 'k1', target: 'ann@example.com' });
    if (preparation.result !== 'ready') throw new Error(preparation.cause);
    await preparation.prepared.send();
    const mail = emulator.received()[0];
    expect(mail?.text).toContain('The report as DOCX could not be attached.');
    expect(mail?.html).toContain('The report as DOCX could not be attached.</p>');
    expect(mail?.html).not.toContain('<!--am-note-->');
    expect(message.html).toContain('<!--am-note-->');
  });
});

describe('OAuth2', () => {
  it('logs in with a token that it asks for', async () => {
    const asked: string[] = [];
    const tokens = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (piece: string) => asked.push(piece));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end('{"access_token":"t1","expires_in":3600,"token_type":"Bearer"}');
      });
    });
    tokens.listen(0, '127.0.0.1');
    await once(tokens, 'listening');
    closers.push(async () => {
      tokens.closeAllConnections();
      tokens.close();
      await once(tokens, 'close');
    });
    const address = tokens.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const server = await startSmtpScript();
    closers.push(() => server.close());
    server.faults = { EHLO: { reply: '250-hello\r\n250 AUTH XOAUTH2' }, AUTH: { reply: '235 welcome' } };
    const oauth2 = {
      user: 'bot@example.com',
      clientId: 'c1',
      clientSecret: 's1',
      refreshToken: 'r1',
      accessUrl: `http://127.0.0.1:${port}/token`,
    };
    expect(await send(server.url, { oauth2 }, message)).toMatchObject({ result: 'sent' });
    expect(new URLSearchParams(asked.join('')).get('refresh_token')).toBe('r1');
  });
});
