import { describe, expect, it } from 'vitest';

import { formatProblem } from '../errors.ts';
import { readEnvironment } from './environment.ts';

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

  it.each([
    ['PORT', '80a', 'PORT: found "80a"; expected a whole number from 0 to 65535'],
    ['PORT', '65536', 'PORT: found "65536"; expected a whole number from 0 to 65535'],
    ['REUSE_PORT', 'yes', 'REUSE_PORT: found "yes"; expected 1 or 0'],
    [
      'WEBHOOK_TOLERANCE_SECONDS',
      '-1',
      'WEBHOOK_TOLERANCE_SECONDS: found "-1"; expected a whole number from 1 to 86400',
    ],
    [
      'QUEUE_URL',
      'mysql://u:hunter22@h/db',
      'QUEUE_URL: found mysql://… (23 characters); expected redis://…, rediss://…, redis+sentinel://…, postgres://… or embedded:FOLDER',
    ],
    ['MAX_BODY_BYTES', '1023', 'MAX_BODY_BYTES: found "1023"; expected a whole number from 1024 to 8388608'],
    [
      'SERVICE_BASE_URL',
      'service',
      'SERVICE_BASE_URL: found 7 characters; expected an http or https address',
    ],
    [
      'SMTP_URL',
      'http://mail',
      'SMTP_URL: found http://… (11 characters); expected smtp://host:port or smtps://user:password@host:port',
    ],
    [
      'MAIL_TO',
      'a@example.com,b',
      'MAIL_TO: found "b" as number 2 of its list; expected e-mail addresses, separated by commas',
    ],
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL: found "loud"; expected fatal, error, warn, info, debug, trace or silent',
    ],
    [
      'SLACK_BOT_TOKEN',
      'hunter22',
      'SLACK_BOT_TOKEN: found 8 characters; expected a bot token, which starts with xoxb-',
    ],
  ])('names a wrong %s, what was found and what is expected', (name, value, message) => {
    const read = readEnvironment({ [name]: value });
    expect(read.ok ? 'no problem' : read.problems.map(formatProblem).join('\n')).toBe(message);
  });

  it.each([
    ['QUEUE_URL', 'postgres://user:ab/hunter2@host/db'],
    ['QUEUE_URL', 'redis://:p@ss@hunter2:zz'],
    ['QUEUE_URL', 'hunter2@host'],
    ['SMTP_URL', 'user:hunter2@mail.example.com'],
    ['SERVICE_BASE_URL', 'service?key=hunter2'],
  ])('never repeats what may be a password in a wrong %s', (name, value) => {
    const read = readEnvironment({ [name]: value });
    expect(read.ok ? 'hunter2' : read.problems.map(formatProblem).join('\n')).not.toContain('hunter2');
  });

  it.each(['hunter2', 'x'.repeat(129), 'aaaaaaaaaaaaaaaaaaaa', ' leading-blank-0123456789'])(
    'refuses a weak secret without repeating it: %j',
    (secret) => {
      const read = readEnvironment({ WEBHOOK_SECRET: secret });
      const message = read.ok ? '' : read.problems.map(formatProblem).join('\n');
      expect(message).toContain(`WEBHOOK_SECRET: found ${secret.length} characters; expected 16 to 128`);
      expect(message).not.toContain(secret);
    },
  );

  it.each(['WEBHOOK_SECRET', 'WEBHOOK_SECRET_PREVIOUS', 'WEBHOOK_MASTER_SECRET', 'ADMIN_TOKEN'])(
    'takes no reference for the secret itself: %s',
    (name) => {
      for (const value of ['${S}', '${file:/run/secrets/webhook-secret}', '${SALES_SECRET:-0f3c9a7be1d2}']) {
        const read = readEnvironment({ [name]: value });
        expect(read.ok ? 'no problem' : read.problems.map(formatProblem).join('\n')).toBe(
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
    const read = readEnvironment({ TRUSTED_PROXIES: `10.0.0.1, ${entry},::1` });
    expect(read.ok ? 'no problem' : read.problems.map(formatProblem).join('\n')).toBe(
      `TRUSTED_PROXIES: found ${JSON.stringify(entry)} as number 2 of its list; expected IP addresses or ranges such as 10.0.0.0/8, separated by commas`,
    );
  });

  it('finds every problem in one go', () => {
    const read = readEnvironment({ PORT: 'x', LOG_FORMAT: 'xml', MAIL_FROM: 'a <b> <c>' });
    expect(read.ok ? [] : read.problems.map(({ setting }) => setting)).toEqual([
      'PORT',
      'MAIL_FROM',
      'LOG_FORMAT',
    ]);
  });
});
