import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createMailEmulator, type MailEmulator } from './mail.ts';

let emulator: MailEmulator;
let url: string;
let controlUrl: string;

beforeEach(async () => {
  emulator = createMailEmulator({ clock: () => Date.parse('2026-07-07T12:00:00Z') });
  ({ url, controlUrl } = await emulator.listen());
});

afterEach(() => emulator.close());

describe('sending with the real client', () => {
  it('keeps the mail as its reader would see it', async () => {
    const seen: string[] = [];
    emulator.onReceived(({ subject }) => seen.push(subject));
    const transport = createTransport(url);
    const info = await transport.sendMail({
      from: { name: 'Aftermeet', address: 'bot@example.com' },
      to: [
        { name: 'Анна', address: 'anna@example.com' },
        { name: '', address: 'tom@example.com' },
      ],
      subject: 'Итоги встречи',
      text: 'Hello\n',
      html: '<p>Hello</p>',
      messageId: '<k1@example.com>',
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments: [{ filename: 'report.txt', content: 'abc' }],
    });
    expect(info.accepted).toEqual(['anna@example.com', 'tom@example.com']);
    const [mail] = emulator.received();
    expect(mail).toMatchObject({
      id: 'mail-1',
      receivedAt: '2026-07-07T12:00:00.000Z',
      envelope: { from: 'bot@example.com', to: ['anna@example.com', 'tom@example.com'] },
      from: '"Aftermeet" <bot@example.com>',
      to: '"Анна" <anna@example.com>, tom@example.com',
      subject: 'Итоги встречи',
      messageId: '<k1@example.com>',
      text: 'Hello\n',
      html: '<p>Hello</p>',
      attachments: [{ name: 'report.txt', contentType: 'text/plain', sizeBytes: 3 }],
    });
    expect(mail?.headers).toContainEqual({ name: 'auto-submitted', value: 'auto-generated' });
    expect(mail?.raw).toContain('Message-ID: <k1@example.com>');
    expect(seen).toEqual(['Итоги встречи']);
  });

  it('takes any login, and several mails on one connection', async () => {
    const transport = createTransport({
      url,
      auth: { user: 'anybody', pass: 'anything' },
      pool: true,
      maxConnections: 1,
    });
    for (const subject of ['one', 'two'])
      await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject, text: 'x' });
    transport.close();
    expect(emulator.received().map(({ subject, html }) => [subject, html])).toEqual([
      ['one', undefined],
      ['two', undefined],
    ]);
    expect(JSON.stringify(emulator.received())).not.toContain('anything');
  });
});

it('lists at its other address what arrived, and forgets mails and faults on reset', async () => {
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await fetch(`${controlUrl}/_sandbox${path}`, { method, headers, ...sent })).json();
  };
  const mail = { from: 'a@example.com', to: 'b@example.com', subject: '<b>Hi</b>', text: 'Hello' };
  await createTransport(url).sendMail(mail);
  const response = await fetch(controlUrl);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await response.json()).toMatchObject({ received: [{ subject: '<b>Hi</b>' }] });
  expect(await control('POST', '/faults', { kind: 'status', on: 'rcpt', status: 550 })).toMatchObject({
    fault: { id: 'fault-1', kind: 'status', on: 'rcpt', times: 1, happened: 0 },
  });
  expect(await control('POST', '/faults', { kind: 'reset', on: 'quit' })).toEqual({
    code: 'INVALID_REQUEST',
    message: 'on: reset can happen on any, connect, auth, mail, rcpt, data, accepted, or rcpt:<address>.',
  });
  await expect(createTransport(url).sendMail(mail)).rejects.toMatchObject({ responseCode: 550 });
  expect(await control('POST', '/reset')).toEqual({ status: 'ok' });
  expect([await control('GET', '/received'), emulator.faults.list()]).toEqual([{ received: [] }, []]);
});
