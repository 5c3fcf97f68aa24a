import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { settlePolicies } from '@aftermeet/recipes';
import { describe, expect, it } from 'vitest';

import { formatProblem } from '../errors.ts';
import { makeFolder } from '../testing/for-the-file.ts';
import { readSettingsFile } from './file.ts';
import { createSecretFileReader } from './secret-files.ts';

const environment = { SALES_SECRET: 'whsec_0123456789abcdef', EMPTY: '' };

const files: Readonly<Record<string, string>> = {
  '/run/secrets/sales': 'whsec_fedcba9876543210',
  empty: '',
  lines: 'whsec_fedcba9876543210\n',
  blank: 'whsec_fedcba9876543210 ',
};

const yaml = 'YAML, with quotes around a text that holds ${…}, a colon or a bracket';

function problemsOf(text: string): string {
  const read = readSettingsFile(text, environment, (path) => files[path]);
  return read.ok ? 'no problem' : read.problems.map(formatProblem).join('\n');
}

describe('readSettingsFile', () => {
  it('reads endpoints and recipes, and fills variables', () => {
    const text = `
endpoints:
  sales: { secrets: ["\${SALES_SECRET}"], recipes: [sales-recap] }
recipes:
  sales-recap: { use: slack-recap, when: { title: "*Sales*" }, with: { channel: "\${CHANNEL:-C0123}" } }
`;
    expect(readSettingsFile(text, environment)).toEqual({
      ok: true,
      values: {
        endpoints: { sales: { secrets: ['whsec_0123456789abcdef'], recipes: ['sales-recap'] } },
        recipes: {
          'sales-recap': { use: 'slack-recap', when: { title: '*Sales*' }, with: { channel: 'C0123' } },
        },
      },
    });
  });

  it('fills in the content of a file', () => {
    const text = 'endpoints: { sales: { secrets: ["${file:/run/secrets/sales}"], unsigned: accept } }';
    expect(readSettingsFile(text, environment, (path) => files[path])).toEqual({
      ok: true,
      values: { endpoints: { sales: { secrets: ['whsec_fedcba9876543210'], unsigned: 'accept' } } },
    });
  });

  const path = 'the path of a file of at most 4096 bytes';
  const alone = 'the value alone, with one line end after it at most';

  it.each([
    ['nowhere', `which can't be read; expected ${path}`],
    ['', `which can't be read; expected ${path}`],
    ['empty', `which is empty; expected ${path}`],
    ['lines', `which begins or ends with white space; expected ${alone}`],
    ['blank', `which begins or ends with white space; expected ${alone}`],
  ])('refuses an empty or unreadable file, and white space at its end: %j', (name, found) => {
    expect(problemsOf(`endpoints: { a: { secrets: ["\${file:${name}}"] } }`)).toBe(
      `endpoints.a.secrets.0: found \${file:${name}}, ${found}`,
    );
  });

  it('accepts an empty file', () => {
    expect(readSettingsFile('', environment)).toEqual({ ok: true, values: {} });
  });

  it('accepts a first wait up to the default of max_wait', () => {
    const destinations = ['slack', 'notion', 'email', 'http', 'folder'];
    expect(destinations.map((name) => settlePolicies().of(name).maxWaitMs)).toEqual([
      900_000, 900_000, 900_000, 900_000, 900_000,
    ]);
    const text = 'destinations: { http: { first_wait: 15m }, folder: { max_wait: 1s } }';
    expect(readSettingsFile(text, environment)).toEqual({
      ok: true,
      values: {
        destinations: { policies: { http: { firstWaitMs: 900_000 }, folder: { maxWaitMs: 1000 } }, own: [] },
      },
    });
  });

  it("keeps the settings of one's own destinations for their code", () => {
    const text = 'destinations: { teams: { use: ./teams.ts, url: "https://x.example", gap: 1s } }';
    expect(readSettingsFile(text, environment)).toEqual({
      ok: true,
      values: {
        destinations: {
          policies: {},
          own: [{ name: 'teams', use: './teams.ts', values: { url: 'https://x.example', gap: '1s' } }],
        },
      },
    });
  });

  it.each(['recipe', 'mail', 'Teams', 'a b'])('refuses a destination of the name %s', (name) => {
    expect(problemsOf(`destinations: { "${name}": { use: ./teams.ts } }`)).toContain(
      'expected a name of lowercase letters, digits and hyphens that is free',
    );
  });

  it('names everything that is wrong, and the nearest known key', () => {
    const text = `
zzzzzzzz: 1
endpoint: {}
endpoints: { a: { secrets: nope, unsigned: true } }
recipes: { a: { use: x, whn: {} } }
destinations:
  slak: {}
  slack: { when_untraceable: hold, patience: 90d }
  email: { when_untraceable: drop }
  notion: { first_wait: 1m, max_wait: 10s }
  http: { gpa: 1s, first_wait: 16m, patience: [] }
mail:
  dkim: { domain: example.com, selector: a, privatekey: hunter2 }
  oauth2: { user: hunter2, client_id: a, client_secret: b, refresh_token: c }
  internal_domains: [example.com, "@hunter2", GMail.com]
  unsubscribe_url: "http://example.com"
  idempotency_header: Subject
reconcile: { every: 1s }
`;
    expect(problemsOf(text).split('\n')).toEqual([
      'endpoints.a.secrets: found text of length 4; expected a list',
      'endpoints.a.unsigned: found true; expected accept, or nothing',
      'recipes.a.whn: found an unknown key; expected when? (one of use, when, with, approve)',
      'destinations.slack.patience: found "90d"; expected a time such as 400ms, 90s, 15m or 2d, from 1s to 30d',
      'destinations.slack.when_untraceable: found an unknown key; expected one of gap, concurrency, timeout, first_wait, max_wait, patience, grace, max_probes',
      'destinations.notion.max_wait: found "10s"; expected as much as first_wait, at least; 15m where it is left out',
      'destinations.email.when_untraceable: found "drop"; expected resend or hold',
      'destinations.http.patience: found a list of 0; expected a time such as 400ms, 90s, 15m or 2d, from 1s to 30d',
      'destinations.http.gpa: found an unknown key; expected gap? (one of gap, concurrency, timeout, first_wait, max_wait, patience, grace, max_probes, when_untraceable)',
      'mail.internal_domains.1: found text of length 8; expected a domain such as example.com',
      'mail.internal_domains.2: found "GMail.com"; expected your own domain, not a public mail provider\'s: its other users would be internal',
      'mail.unsubscribe_url: found text of length 18; expected an https address',
      'mail.idempotency_header: found text of length 7; expected a header that no mail has anyway',
      'mail.dkim.private_key: found nothing; expected the private key as PEM: "${file:dkim.pem}"',
      'mail.dkim.privatekey: found an unknown key; expected private_key? (one of domain, selector, private_key)',
      'mail.oauth2.user: found text of length 7; expected the address of the mailbox that sends',
      'reconcile.every: found "1s"; expected a time such as 400ms, 90s, 15m or 2d, from 1m to 7d',
      'zzzzzzzz: found an unknown key; expected one of endpoints, removed, recipes, destinations, language, timezone, mail, people, reconcile',
      'endpoint: found an unknown key; expected endpoints? (one of endpoints, removed, recipes, destinations, language, timezone, mail, people, reconcile)',
      'destinations.http.max_wait: found nothing; expected as much as first_wait, at least; 15m where it is left out',
      'destinations.slak: found an object; expected slack? (one of slack, notion, email, http, folder), or use: ./file of your own destination',
    ]);
  });

  it.each(['EMPTY', 'toString', 'constructor', '__proto__'])(
    'takes an empty variable and an inherited name for one that is not set: %s',
    (name) => {
      expect(problemsOf(`endpoints: { a: { secrets: ["\${${name}}"] } }`)).toContain(
        `\${${name}}, which is not set`,
      );
    },
  );

  it('refuses aliases that grow exponentially', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...['b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => {
        const from = 'abcdef'[index];
        return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${from}`).join()}]`;
      }),
    ].join('\n');
    expect(problemsOf(bomb)).toBe('the file: found aliases that grow without end; expected plain values');
  });

  it('names each fault of the YAML, and the other problems too if the structure is clear', () => {
    const text = 'endpoints: {}\nendpoints: { a: { secrts: [] } }\nmail: !secret {}\n---\nrecipes: {}';
    expect(problemsOf(text)).toBe(
      [
        `line 2: found what YAML does not allow (DUPLICATE_KEY); expected ${yaml}`,
        `line 3: found what YAML does not allow (TAG_RESOLVE_FAILED); expected ${yaml}`,
        `line 4: found what YAML does not allow (MULTIPLE_DOCS); expected ${yaml}`,
        'endpoints.a.secrts: found an unknown key; expected secrets? (one of secrets, recipes, unsigned)',
      ].join('\n'),
    );
    expect(problemsOf('endpoints: [a\nmial: 1')).toMatch(/^line 2: [^\n]+$/);
  });

  it('names an alias of nothing and one of itself, and prints no name: it may be a secret', () => {
    expect(problemsOf('mail:\n  reply_to: *hunter2\n  oauth2: *hunter3')).toBe(
      `line 2: found an alias (*) of nothing above it; expected ${yaml}\n` +
        `line 3: found an alias (*) of nothing above it; expected ${yaml}`,
    );
    expect(problemsOf('mail: &a { dkim: *a }')).toBe(
      'the file: found aliases that grow without end; expected plain values',
    );
  });
});

const folder = makeFolder();

const read = createSecretFileReader(folder);

describe('a secret in a file', () => {
  it.each([
    ['abc', 'abc'],
    ['abc\n', 'abc'],
    ['abc\r\n', 'abc'],
    ['abc\n\n', 'abc\n'],
    [' abc ', ' abc '],
    ['', ''],
  ])('is the content without one line end: %j', (text, secret) => {
    writeFileSync(join(folder, 'plain'), text);
    expect(read('plain')).toBe(secret);
    expect(read(join(folder, 'plain'))).toBe(secret);
  });

  it('is found through links, as Kubernetes mounts it', () => {
    writeFileSync(join(folder, '..data'), 'linked');
    symlinkSync('..data', join(folder, 'link'));
    expect(read('link')).toBe('linked');
  });

  it('is undefined for a missing, non-UTF-8 or large file', () => {
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe]));
    writeFileSync(join(folder, 'large'), 'x'.repeat(4097));
    for (const path of ['nowhere', '.', 'bytes', 'large', 'a\0b']) expect(read(path)).toBeUndefined();
  });
});
