import { describeWithProgram, type DovecotServer, startDovecotServer } from '@aftermeet/test/support';
import { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startSmtpScript } from '../../testing/start-smtp-script.ts';
import { findSentMail, isMailboxUrl, readMailboxUrl } from './find-sent-mail.ts';

const messageId = '<k1@example.com>';

describe('isMailboxUrl', () => {
  it.each([
    ['imaps://bot:secret@mail.example.com', true],
    ['imap://bot%40example.com:p%2Fw@mail.example.com:1143', true],
    ['imaps://bot@[::1]', true],
    ['https://bot:secret@mail.example.com', false],
    ['imaps://mail.example.com', false],
    ['imaps://bot:100%@mail.example.com', false],
    ['mail.example.com:993', false],
  ])('%s: %s', (url, expected) => {
    expect(isMailboxUrl(url)).toBe(expected);
  });
});

describe('readMailboxUrl', () => {
  it.each([
    [
      'imaps://bot%40example.com:p%2Fw@mail.example.com',
      { host: 'mail.example.com', port: 993, secure: true, auth: { user: 'bot@example.com', pass: 'p/w' } },
    ],
    [
      'imap://bot:secret@mail.example.com:1143',
      {
        host: 'mail.example.com',
        port: 1143,
        secure: false,
        doSTARTTLS: true,
        auth: { user: 'bot', pass: 'secret' },
      },
    ],
    ['imap://bot@[::1]', { host: '::1', port: 143, secure: false, auth: { user: 'bot', pass: '' } }],
  ])('%s sends no password in the open', (url, expected) => {
    expect(readMailboxUrl(url)).toEqual(expected);
  });
});

describe('findSentMail, of a mailbox that does not answer', () => {
  it('was not asked when it takes too long', async () => {
    const server = await startSmtpScript();
    const url = server.url.replace('smtp://', 'imap://bot:secret@');
    const startedAt = performance.now();
    expect(await findSentMail({ url }, messageId, 300)).toMatchObject({ result: 'not_asked' });
    expect(performance.now() - startedAt).toBeLessThan(2000);
    await server.close();
  });
});

describeWithProgram(
  'dovecot',
  'findSentMail, of a real mailbox',
  () => {
    let server: DovecotServer;
    beforeAll(async () => {
      server = await startDovecotServer();
      for (const [user, folder] of [
        ['ann', 'Sent'],
        ['bob', 'INBOX'],
      ] as const) {
        await file(user, folder);
      }
    });
    afterAll(() => server.stop());

    async function file(user: string, folder: string): Promise<void> {
      const [host = '', port] = server.host.split(':');
      const auth = { user, pass: 'secret' };
      const client = new ImapFlow({ host, port: Number(port), secure: false, auth, logger: false });
      await client.connect();
      await client.append(folder, `Message-ID: ${messageId}\r\nSubject: Recap\r\n\r\nHello\r\n`);
      await client.logout();
    }

    const find = (user: string, mailbox?: string, id = messageId, password = 'secret') =>
      findSentMail(
        { url: `imap://${user}:${password}@${server.host}`, ...(mailbox === undefined ? {} : { mailbox }) },
        id,
        5000,
      );

    it('finds a mail by its id in the folder that is marked as the one for sent mail', async () => {
      expect(await find('ann')).toEqual({ result: 'found', reference: messageId });
    });

    it('is sure that a mail is not there', async () => {
      expect(await find('ann', undefined, '<k2@example.com>')).toEqual({ result: 'absent' });
      expect(await find('ann', 'INBOX')).toEqual({ result: 'absent' });
    });

    it('looks into the folder that is named', async () => {
      expect(await find('bob')).toEqual({ result: 'absent' });
      expect(await find('bob', 'INBOX')).toEqual({ result: 'found', reference: messageId });
    });

    it('says what has to be changed before it can look', async () => {
      expect(await find('ann', 'Archive')).toEqual({
        result: 'impossible',
        cause: 'the folder of sent mail does not exist: check IMAP_MAILBOX',
      });
      expect(await find('ann', undefined, messageId, 'wrong')).toEqual({
        result: 'impossible',
        cause: 'the mailbox refuses the login: check user and password of IMAP_URL',
      });
    });

    it('tells no password to a server on another machine that does not encrypt', async () => {
      // Linux takes it for this machine; what looks at the address does not.
      const url = `imap://ann:secret@${server.host.replace('127.0.0.1', '0.0.0.0')}`;
      expect(await findSentMail({ url }, messageId, 5000)).toEqual({
        result: 'impossible',
        cause: 'the mailbox does not encrypt: use an imaps:// address in IMAP_URL',
      });
    });
  },
  { debianPackage: 'dovecot-imapd' },
);
