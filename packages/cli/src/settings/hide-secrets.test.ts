import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatProblem } from '../errors.ts';
import { hideSecrets } from './hide-secrets.ts';
import { readSettings } from './resolve.ts';

function problemsOf(text: string, environment: Record<string, string> = {}): string {
  const read = readSettings(environment, text);
  return read.ok ? 'no problem' : read.problems.map(formatProblem).join('\n');
}

/** Made up, in the form that each vendor gives out. */
const tokens = [
  'xoxb-1234',
  'xoxb-1111111111-2222222222222-AbCdEfGhIjKlMnOp',
  'xapp-1-A0B1C2',
  'ntn_46a1Bc9d',
  'secret_9aBcDeF1gH',
  'whsec_3f1c90de',
  'sk-proj-4f9A1b2C',
  'sk_live_4f9A1b2C',
  'ghp_16C7e42F292c69',
  'd3b07384d113edec49eaa6238ad5ff00',
  'kQ7vXw2LmN9pRsT4uYzA',
  'nQjleYn/+hQx+22CbzcRnSqhdXlswllk',
  '/Q3leYn/+hQx22CbzcRnSqhd',
  'pX1m/Zc4/Rt8w/Lq',
  'GkZqXbWvTsRpQnMlKjHg',
  '12345678901234567890',
  'https://user:pa55word@proxy.example',
  'redis://:pa55word@10.0.0.1:6379',
];

/** Places where one may be pasted by mistake. */
const places: readonly (readonly [string, (token: string) => string])[] = [
  ['SLACK_CHANNEL', (token) => problemsOf('', { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_CHANNEL: ` ${token}` })],
  ['PORT', (token) => problemsOf('', { PORT: token })],
  ['TRUSTED_PROXIES', (token) => problemsOf('', { TRUSTED_PROXIES: `10.0.0.1,${token}` })],
  ['PUBLIC_URL', (token) => problemsOf('', { PUBLIC_URL: token.replace('https:', 'ftp:') })],
  [
    'an option',
    (token) => problemsOf(`recipes: { a: { use: slack-recap, with: { sections: "${token}" } } }`),
  ],
  ['reconcile.every', (token) => problemsOf(`reconcile: { every: "${token}" }`)],
  ['an unknown key', (token) => problemsOf(`"${token}": 1`)],
  ['an unknown key of a section', (token) => problemsOf(`reconcile: { "${token}": 1 }`)],
  [
    'an unknown option',
    (token) => problemsOf(`recipes: { a: { use: slack-recap, with: { "${token}": 1 } } }`),
  ],
  ['a destination', (token) => problemsOf(`destinations: { "${token}": { gap: 1s } }`)],
  ['use', (token) => problemsOf(`recipes: { a: { use: "${token}" } }`)],
  [
    'a recipe of an endpoint',
    (token) =>
      problemsOf(`endpoints: { a: { secrets: [whsec_0123456789abcdef], recipes: ["${token}"] } }`, {
        WEBHOOK_SECRET: 'whsec_fedcba9876543210',
      }),
  ],
];

it.each(places)('a token in the wrong place is not repeated: %s', (_place, read) => {
  for (const token of tokens) {
    const problems = read(token);
    expect(problems).toContain('found');
    // Neither the whole, nor the part after what says which vendor it is of.
    expect(problems, token).not.toContain(token.replace(/^(?:https|redis):/, ''));
    expect(problems, token).not.toContain(token.slice(-8));
  }
});

describe('a random secret in place of a value', () => {
  /** Base64 of 12, 16, 24 and 32 bytes, in both alphabets. */
  const secret = fc
    .tuple(fc.constantFrom(12, 16, 24, 32), fc.constantFrom('base64', 'base64url'))
    .chain(([size, alphabet]) =>
      fc
        .uint8Array({ minLength: size, maxLength: size })
        .map((bytes) => Buffer.from(bytes).toString(alphabet === 'base64' ? 'base64' : 'base64url')),
    );

  it.each(['PORT', 'SLACK_CHANNEL', 'LOG_LEVEL', 'TRUSTED_PROXIES'])('is not left: %s', (name) => {
    fc.assert(
      fc.property(secret, (text) => {
        expect(problemsOf('', { SLACK_BOT_TOKEN: 'xoxb-1', [name]: text })).toMatch(
          /^\w+: found \d+ characters(?: as number 1 of its list)?; expected/,
        );
      }),
      { numRuns: 200 },
    );
  });
});

it.each(['PORT', 'SLACK_CHANNEL', 'LOG_LEVEL'])('a passphrase in place of %s is not repeated', (name) => {
  const environment = { SLACK_BOT_TOKEN: 'xoxb-1', [name]: 'correct-horse-battery-staple' };
  expect(problemsOf('', environment)).toContain(`${name}: found 28 characters`);
});

describe('what looks random', () => {
  it('is hidden in place of a name, too', () => {
    for (let seed = 0; seed < 1000; seed += 1) {
      const bytes = createHash('sha256').update(String(seed)).digest();
      for (const secret of [bytes, bytes.subarray(0, 24)].map((each) => each.toString('base64'))) {
        expect(hideSecrets(`endpoints.${secret}.secrets`), secret).not.toContain(secret);
      }
    }
  });

  it.each([
    ['nQjleYn/+hQx+22CbzcRnSqhdXlswllk', 'nQjl…'],
    ['pX1m/Zc4/Rt8w/Lq', 'pX1m…'],
    ['/Q3leYn/+hQx22CbzcRnSqhd', '/Q3l…'],
    ['xoxb-1111111111-AbCdEf', 'xoxb…'],
    ['endpoints.customer1a2b3c4d-hook.secrets', 'endpoints.cust….secrets'],
    ['recipes.customerSuccessTeamEMEA.with', 'recipes.cust….with'],
    ['ADMIN_TOKEN_FILE=/run/4f9A1b2C8d7e6F5a/admin_token', 'ADMIN_TOKEN_FILE=/run/4f9A…/admin_token'],
    ['/home/ann2/q1/2026/x86_64/v2/admin_token', '/home/ann2/q1/2026/x86_64/v2/admin_token'],
  ])('keeps its first four characters, and what stands around it: %s', (text, shown) => {
    expect(hideSecrets(text)).toBe(shown);
  });
});

it.each([
  ['endpoints: { a: { secrets: [12345678901234567890] } }', 'endpoints.a.secrets.0'],
  ['endpoints: { a: { secrets: [-1e60] } }', 'endpoints.a.secrets.0'],
  ['endpoints: { a: { secrets: 1234 } }', 'endpoints.a.secrets'],
  [
    'mail: { oauth2: { user: a, client_id: b, client_secret: 1234, refresh_token: c } }',
    'mail.oauth2.client_secret',
  ],
  [
    'recipes: { a: { use: http-forward, with: { url: "https://example.com", secret: 1234567890123456 } } }',
    'recipes.a.with.secret',
  ],
  ['recipes: { a: { use: slack-recap, with: { sections: 1234567890 } } }', 'recipes.a.with.sections'],
])('a number in place of a secret is not printed, and the error says what to do: %s', (text, setting) => {
  const problems = problemsOf(text);
  expect(problems).toContain(`${setting}: found a number; put quotes around it; expected`);
  expect(problems).not.toMatch(/\d{4}|e\+?60/);
});

it.each([
  'recipes.customer-recap-2026-europe.with.sections',
  'endpoints.recap-q1-2026-team4.secrets.0',
  'mail.participantDomainsOfCustomers',
  'secret_manager_path',
  '"#sales-and-marketing-emea"',
  "/run/secrets/aftermeet_admin_token, which can't be read",
  'C0123456789',
  'https://hooks.example.com/hooks/default',
  'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
  'text of length 12',
])('what was meant to be read stays: %s', (text) => {
  expect(hideSecrets(text)).toBe(text);
});
