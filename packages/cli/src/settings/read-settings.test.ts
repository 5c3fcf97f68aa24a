import { describe, expect, it } from 'vitest';

import { formatProblems } from './problem.ts';
import { readSettings } from './read-settings.ts';

const secret = 'c0ffee00d15ea5ed0badf00ddeadbea7';
const mail = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'a@example.com', MAIL_TO: 'b@example.com' };

function read(environment: Record<string, string>, text?: string) {
  const settings = readSettings(environment, text);
  return settings.ok ? settings.settings : formatProblems(settings.problems);
}

describe('readSettings', () => {
  it('changes nothing about destinations, and searches for nothing, unless it is told to', () => {
    const settings = read({});
    expect(settings).toMatchObject({ policies: {} });
    expect(settings).not.toHaveProperty('reconcile');
    expect(settings).not.toHaveProperty('workerPort');
  });

  it('puts the policies in the words of the recipes', () => {
    const text =
      'destinations: { slack: { gap: 2s, places: 4, first_wait: 1s, longest_wait: 1m, patience: 1d, grace: 5s, probes: 3 },' +
      ' email: { when_untraceable: hold } }';
    expect(read({}, text)).toMatchObject({
      policies: {
        slack: {
          gapMs: 2000,
          places: 4,
          firstWaitMs: 1000,
          longestWaitMs: 60_000,
          patienceMs: 86_400_000,
          graceMs: 5000,
          mostProbes: 3,
        },
        email: { whenUntraceable: 'hold' },
      },
    });
  });

  it.each([
    ['reconcile: { every: 1h }', 'default'],
    [`reconcile: { every: 1h }\nendpoints: { sales: { secrets: [${secret}] } }`, 'sales'],
    [
      `reconcile: { every: 1h, endpoint: hr }\nendpoints: { sales: { secrets: [${secret}] }, hr: { secrets: [${secret}1] } }`,
      'hr',
    ],
  ])('chooses whose recipes run for what was lost: %j', (text, endpoint) => {
    expect(read({}, text)).toMatchObject({
      reconcile: { everyMs: 3_600_000, sinceMs: 172_800_000, endpoint },
    });
  });

  it.each([
    ['', 'reconcile.endpoint: found nothing; expected one of sales, hr'],
    [
      ', endpoint: sale',
      'reconcile.endpoint: found the unknown endpoint "sale"; expected sales? (one of sales, hr)',
    ],
  ])('asks for the endpoint where there are several: %j', (choice, problem) => {
    const endpoints = `endpoints: { sales: { secrets: [${secret}] }, hr: { secrets: [${secret}1] } }`;
    expect(read({}, `reconcile: { every: 1h${choice} }\n${endpoints}`)).toBe(problem);
  });

  it('reads where sent mail is looked for', () => {
    const url = 'imaps://me:hunter2@mail.example:993';
    expect(read({ ...mail, IMAP_URL: url })).toMatchObject({ destinations: { mail: { imap: { url } } } });
    expect(read({ ...mail, IMAP_URL: url, IMAP_MAILBOX: 'Sent' })).toMatchObject({
      destinations: { mail: { imap: { url, mailbox: 'Sent' } } },
    });
  });

  it('needs no recipients: then the recipes choose among those who took part', () => {
    const { MAIL_TO: _to, ...pair } = mail;
    expect(read(pair)).toMatchObject({
      destinations: { mail: { smtpUrl: 'smtp://127.0.0.1:25', from: 'a@example.com', to: [] } },
      recipes: [{ name: 'email-follow-up' }],
    });
  });

  it('adds what the file says of mail, once there is a mail server', () => {
    const text = `mail:
  internal_domains: Example.com
  outbox: /var/lib/aftermeet/outbox
  reply_to: team@example.com
  unsubscribe_url: https://example.com/unsubscribe
  idempotency_header: X-EE-Idempotency-Key
  dkim: { domain: example.com, selector: mail2026, private_key: "\${DKIM}" }
  oauth2: { user: me@example.com, client_id: id, client_secret: "\${SECRET}", refresh_token: token }
`;
    const secrets = {
      DKIM: '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----',
      SECRET: 'hunter2',
    };
    expect(read({ ...mail, ...secrets }, text)).toMatchObject({
      destinations: {
        mail: {
          to: ['b@example.com'],
          internalDomains: ['example.com'],
          outbox: '/var/lib/aftermeet/outbox',
          replyTo: 'team@example.com',
          unsubscribeUrl: 'https://example.com/unsubscribe',
          idempotencyHeader: 'X-EE-Idempotency-Key',
          dkim: { domain: 'example.com', selector: 'mail2026', privateKey: secrets.DKIM },
          oauth2: { user: 'me@example.com', clientId: 'id', clientSecret: 'hunter2', refreshToken: 'token' },
        },
      },
    });
    expect(read(secrets, text)).toMatchObject({ destinations: {} });
  });

  it('has policies for every destination', () => {
    const text =
      'destinations: { http: { places: 2, when_untraceable: hold }, folder: { timeout: 5m }, service: { gap: 1s } }';
    expect(read({}, text)).toMatchObject({
      policies: {
        http: { places: 2, whenUntraceable: 'hold' },
        folder: { timeoutMs: 300_000 },
        service: { gapMs: 1000 },
      },
    });
  });

  it.each([
    [
      { ...mail, IMAP_MAILBOX: 'Sent' },
      'IMAP_URL: found nothing; expected a value, because IMAP_MAILBOX is set',
    ],
    [{ MAIL_TO: 'b@example.com' }, 'SMTP_URL: found nothing; expected a value, because MAIL_TO is set'],
    [
      { MAIL_TO: 'b@example.com', MAIL_FROM: 'a@example.com' },
      'SMTP_URL: found nothing; expected a value, because MAIL_FROM is set',
    ],
    [
      { IMAP_URL: 'imap://mail.example' },
      'SMTP_URL: found nothing; expected a value, because IMAP_URL is set',
    ],
    [
      { ...mail, IMAP_URL: 'https://me:hunter2@mail.example' },
      'IMAP_URL: found https://… (31 characters); expected imap://user:password@host:port or imaps://user:password@host:port',
    ],
    [{ WORKER_PORT: '70000' }, 'WORKER_PORT: found "70000"; expected a whole number from 0 to 65535'],
  ])('refuses %j', (environment, problem) => {
    expect(read(environment)).toBe(problem);
  });
});
