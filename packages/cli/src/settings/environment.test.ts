import { describe, expect, it } from 'vitest';

import { formatProblem } from '../errors.ts';
import { readEnvironment } from './environment.ts';

function problemsOf(environment: Record<string, string>): string {
  const read = readEnvironment(environment);
  return read.ok ? 'no problem' : read.problems.map(formatProblem).join('\n');
}

describe('readEnvironment', () => {
  it('has a default for everything that may be left out', () => {
    expect(readEnvironment({ PATH: '/bin', WEBHOOK_SECRET: '' })).toEqual({
      ok: true,
      values: {
        SERVICE_HEADER_PREFIX: 'X-Service',
        WEBHOOK_TOLERANCE_SECONDS: 300,
        WEBHOOK_REMOVED_HOURS: 72,
        QUEUE_URL: 'embedded:.aftermeet',
        HOST: '127.0.0.1',
        PORT: 8080,
        REUSE_PORT: false,
        TRUSTED_PROXIES: [],
        MAX_BODY_BYTES: 262_144,
        LOG_LEVEL: 'info',
      },
    });
  });

  it('reads a complete environment', () => {
    const read = readEnvironment({
      SERVICE_BASE_URL: 'https://service.example/',
      MAIL_TO: 'a@example.com, b@example.com',
      MAIL_FROM: 'Notes <notes@example.com>',
      PORT: '0',
      REUSE_PORT: '1',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,2001:db8::/32',
      MAX_BODY_BYTES: '1048576',
      QUEUE_URL: 'redis://127.0.0.1:6379/2',
    });
    expect(read).toMatchObject({
      ok: true,
      values: {
        SERVICE_BASE_URL: 'https://service.example',
        MAIL_TO: ['a@example.com', 'b@example.com'],
        MAIL_FROM: 'Notes <notes@example.com>',
        PORT: 0,
        REUSE_PORT: true,
        TRUSTED_PROXIES: ['10.0.0.0/8', '::1', '2001:db8::/32'],
        MAX_BODY_BYTES: 1_048_576,
      },
    });
  });

  it('names every wrong value in one go, what was found and what is expected', () => {
    const wrong = {
      SERVICE_BASE_URL: 'service',
      WEBHOOK_TOLERANCE_SECONDS: '-1',
      QUEUE_URL: 'mysql://u:hunter22@h/db',
      PORT: '65536',
      REUSE_PORT: 'yes',
      MAX_BODY_BYTES: '1023',
      SLACK_BOT_TOKEN: 'hunter22',
      SMTP_URL: 'http://mail',
      MAIL_FROM: 'a <b> <c>',
      MAIL_TO: 'a@example.com,b',
      LOG_LEVEL: 'loud',
      LOG_FORMAT: 'xml',
    };
    expect(problemsOf(wrong).split('\n')).toEqual([
      'SERVICE_BASE_URL: found 7 characters; expected an http or https address',
      'WEBHOOK_TOLERANCE_SECONDS: found "-1"; expected a whole number from 1 to 86400',
      'QUEUE_URL: found mysql://… (23 characters); expected redis://…, rediss://…, redis+sentinel://…, postgres://… or embedded:FOLDER',
      'PORT: found "65536"; expected a whole number from 0 to 65535',
      'REUSE_PORT: found "yes"; expected 1 or 0',
      'MAX_BODY_BYTES: found "1023"; expected a whole number from 1024 to 8388608',
      'SLACK_BOT_TOKEN: found 8 characters; expected a bot token, which starts with xoxb-',
      'SMTP_URL: found http://… (11 characters); expected smtp://host:port or smtps://user:password@host:port',
      'MAIL_FROM: found "a <b> <c>"; expected an e-mail address, or a name and an address: Aftermeet <notes@example.com>',
      'MAIL_TO: found "b" as number 2 of its list; expected e-mail addresses, separated by commas',
      'LOG_LEVEL: found "loud"; expected fatal, error, warn, info, debug, trace or silent',
      'LOG_FORMAT: found "xml"; expected json or pretty',
    ]);
  });

  it.each([
    ['QUEUE_URL', 'postgres://user:ab/hunter2@host/db'],
    ['QUEUE_URL', 'redis://:p@ss@hunter2:zz'],
    ['QUEUE_URL', 'hunter2@host'],
    ['SMTP_URL', 'user:hunter2@mail.example.com'],
    ['SERVICE_BASE_URL', 'service?key=hunter2'],
  ])('never repeats what may be a password in a wrong %s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toContain(`${name}: found`);
    expect(problems).not.toContain('hunter2');
  });

  it.each(['WEBHOOK_SECRET', 'WEBHOOK_SECRET_PREVIOUS', 'WEBHOOK_MASTER_SECRET', 'ADMIN_TOKEN'])(
    'takes no reference for the secret itself: %s',
    (name) => {
      for (const value of ['${S}', '${file:/run/secrets/webhook-secret}', '${SALES_SECRET:-0f3c9a7be1d2}']) {
        expect(problemsOf({ [name]: value })).toBe(
          `${name}: found ${value.length} characters; expected the secret itself, because \${…} is filled in aftermeet.yaml only`,
        );
      }
    },
  );

  it.each([
    'proxy.example',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::ffff:10.0.0.0/104',
    '::1/129',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '',
  ])('takes no proxy that is no address or range, and names it: %j', (entry) => {
    expect(problemsOf({ TRUSTED_PROXIES: `10.0.0.1, ${entry},::1` })).toBe(
      `TRUSTED_PROXIES: found ${JSON.stringify(entry)} as number 2 of its list; expected IP addresses or ranges such as 10.0.0.0/8, separated by commas`,
    );
  });
});
