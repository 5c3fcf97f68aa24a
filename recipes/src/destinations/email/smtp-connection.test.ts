import { describe, expect, it } from 'vitest';

import { classifyMailError, stripServerUrl } from './smtp-connection.ts';

const oauth2 = { user: 'bot@example.com', clientId: 'c1', clientSecret: 's1', refreshToken: 'r1' };

describe('stripServerUrl', () => {
  it('leaves what nothing of ours stands against', () => {
    const smtpUrl =
      'smtps://bot:a%40b%3A@mail.example.com:465/?tls.servername=other.example.com&requireTLS=true';
    expect(stripServerUrl({ smtpUrl }, ['logger', 'pool'])).toBe(smtpUrl);
  });

  it('takes away what would be taken in place of ours', () => {
    const smtpUrl = 'smtp://mail.example.com?logger=true&name=me.example.com&pool=false&logger=true';
    expect(stripServerUrl({ smtpUrl }, ['logger', 'pool'])).toBe(
      'smtp://mail.example.com?name=me.example.com',
    );
  });

  it('takes away the login where another one is given', () => {
    const smtpUrl = 'smtps://somebody:password@mail.example.com';
    expect(stripServerUrl({ smtpUrl, oauth2 }, [])).toBe('smtps://mail.example.com');
  });
});

describe('classifyMailError', () => {
  it.each([
    ['an unknown recipient', { code: 'EENVELOPE', responseCode: 550, permanent: true }, false, 'permanent'],
    ['a full mailbox', { code: 'EENVELOPE', responseCode: 452, permanent: false }, false, 'not_sent_retry'],
    ['content refused after the dot', { responseCode: 554, permanent: true }, true, 'permanent'],
    ['a greylist after the dot', { responseCode: 451, permanent: false }, true, 'not_sent_retry'],
    ['a bad sequence', { responseCode: 503, permanent: false }, false, 'not_sent_retry'],
    ['a connection lost before the dot', { code: 'ECONNECTION' }, false, 'not_sent_retry'],
    ['a connection lost after the dot', { code: 'ECONNECTION' }, true, 'unknown'],
    ['a timeout after the dot', { code: 'ETIMEDOUT' }, true, 'unknown'],
    ['something that is no error', 'oops', true, 'unknown'],
  ])('%s', (_name, error, isDotWritten, expected) => {
    expect(classifyMailError(error, isDotWritten, 'mail.example.com').result).toBe(expected);
  });

  it.each([
    [
      { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, permanent: true },
      'the mail server answered 535 to AUTH: check user and password of SMTP_URL',
    ],
    [
      { code: 'EAUTH', command: 'AUTH XOAUTH2', responseCode: 535, permanent: true },
      'the mail server answered 535 to AUTH: check mail.oauth2 of aftermeet.yaml',
    ],
    [
      { code: 'EAUTH', command: 'AUTH XOAUTH2' },
      'the mail server cannot be used now (EAUTH): check mail.oauth2 of aftermeet.yaml',
    ],
    [
      { code: 'EAUTH', command: 'API' },
      'the mail server cannot be used now (EAUTH): check user and password of SMTP_URL',
    ],
  ])('says which login it is: %j', (error, cause) => {
    expect(classifyMailError(error, false, 'mail.example.com').cause).toBe(cause);
  });
});
