import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { settlePolicies } from '@aftermeet/recipes';
import { afterAll, describe, expect, it } from 'vitest';

import { formatProblem } from '../errors.ts';
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

  it.each([
    ['nowhere', "which can't be read"],
    ['', "which can't be read"],
    ['empty', 'which is empty'],
  ])('refuses an empty or unreadable file: %j', (path, found) => {
    expect(problemsOf(`endpoints: { a: { secrets: ["\${file:${path}}"] } }`)).toBe(
      `endpoints.a.secrets.0: found \${file:${path}}, ${found}; expected the path of a file of at most 4096 bytes`,
    );
  });

  it.each(['lines', 'blank'])('names a file with white space at its end: %s', (path) => {
    expect(problemsOf(`endpoints: { a: { secrets: ["\${file:${path}}"] } }`)).toBe(
      `endpoints.a.secrets.0: found \${file:${path}}, which begins or ends with white space; expected the value alone, with one line end after it at most`,
    );
  });

  it('accepts no other value for unsigned deliveries', () => {
    expect(problemsOf('endpoints: { a: { unsigned: true } }')).toBe(
      'endpoints.a.unsigned: found true; expected accept, or nothing',
    );
    expect(problemsOf('endpoints: { a: { unsinged: accept } }')).toBe(
      'endpoints.a.unsinged: found an unknown key; expected unsigned? (one of secrets, recipes, unsigned)',
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

  it('names the nearest known key', () => {
    expect(problemsOf('endpoint: {}')).toBe(
      'endpoint: found an unknown key; expected endpoints? (one of endpoints, removed, recipes, destinations, language, timezone, mail, people, reconcile)',
    );
    expect(problemsOf('recipes: { a: { use: x, whn: {} } }')).toBe(
      'recipes.a.whn: found an unknown key; expected when? (one of use, when, with, approve)',
    );
    expect(problemsOf('zzzzzzzz: 1')).toContain('one of endpoints, removed, recipes');
  });

  it('reads policies and reconciliation', () => {
    const text = `
destinations:
  slack: { gap: 1s, concurrency: 8, timeout: 8s, first_wait: 400ms, max_wait: 15m, patience: 3d, grace: 5s, max_probes: "5" }
  email: { when_untraceable: hold }
reconcile: { every: 1h }
`;
    expect(readSettingsFile(text, environment)).toEqual({
      ok: true,
      values: {
        destinations: {
          policies: {
            slack: {
              gapMs: 1000,
              concurrency: 8,
              timeoutMs: 8000,
              firstWaitMs: 400,
              maxWaitMs: 900_000,
              patienceMs: 259_200_000,
              graceMs: 5000,
              maxProbes: 5,
            },
            email: { whenUntraceable: 'hold' },
          },
          own: [],
        },
        reconcile: { every: 3_600_000, since: 172_800_000 },
      },
    });
  });

  it.each([
    [
      'destinations: { slak: {} }',
      'destinations.slak: found an object; expected slack? (one of slack, notion, email, http, folder), or use: ./file of your own destination',
    ],
    [
      'destinations: { slack: { gpa: 1s } }',
      'destinations.slack.gpa: found an unknown key; expected gap? (one of gap, concurrency, timeout, first_wait, max_wait, patience, grace, max_probes)',
    ],
    [
      'destinations: { slack: { when_untraceable: hold } }',
      'destinations.slack.when_untraceable: found an unknown key; expected one of gap, concurrency, timeout, first_wait, max_wait, patience, grace, max_probes',
    ],
    [
      'destinations: { email: { when_untraceable: drop } }',
      'destinations.email.when_untraceable: found "drop"; expected resend or hold',
    ],
    [
      'destinations: { slack: { patience: 90d } }',
      'destinations.slack.patience: found "90d"; expected a time such as 400ms, 90s, 15m or 2d, from 1s to 30d',
    ],
    [
      'destinations: { notion: { concurrency: 0 } }',
      'destinations.notion.concurrency: found the number 0; expected a whole number from 1 to 1000',
    ],
    [
      'destinations: { notion: { first_wait: 1m, max_wait: 10s } }',
      'destinations.notion.max_wait: found "10s"; expected as much as first_wait, at least; 15m where it is left out',
    ],
    [
      'destinations: { folder: { first_wait: 16m } }',
      'destinations.folder.max_wait: found nothing; expected as much as first_wait, at least; 15m where it is left out',
    ],
    [
      'mail: { dkim: { domain: example.com, selector: a, privatekey: hunter2 } }',
      'mail.dkim.private_key: found nothing; expected the private key as PEM: "${file:dkim.pem}"\n' +
        'mail.dkim.privatekey: found an unknown key; expected private_key? (one of domain, selector, private_key)',
    ],
    [
      'mail: { oauth2: { user: hunter2, client_id: a, client_secret: b, refresh_token: c } }',
      'mail.oauth2.user: found text of length 7; expected the address of the mailbox that sends',
    ],
    [
      'mail: { internal_domains: [example.com, "@hunter2"] }',
      'mail.internal_domains.1: found text of length 8; expected a domain such as example.com',
    ],
    [
      'mail: { internal_domains: [example.com, GMail.com] }',
      'mail.internal_domains.1: found "GMail.com"; expected your own domain, not a public mail provider\'s: its other users would be internal',
    ],
    [
      'mail: { unsubscribe_url: "http://example.com" }',
      'mail.unsubscribe_url: found text of length 18; expected an https address',
    ],
    [
      'mail: { idempotency_header: Subject }',
      'mail.idempotency_header: found text of length 7; expected a header that no mail has anyway',
    ],
    [
      'reconcile: { every: 1s }',
      'reconcile.every: found "1s"; expected a time such as 400ms, 90s, 15m or 2d, from 1m to 7d',
    ],
  ])('names what is wrong with %s', (text, problem) => {
    expect(problemsOf(text)).toBe(problem);
  });

  it('refuses a variable that is not set or empty', () => {
    expect(problemsOf('endpoints: { a: { secrets: ["${NOWHERE}"] } }')).toBe(
      'endpoints.a.secrets.0: found ${NOWHERE}, which is not set; expected the variable NOWHERE, or a default: ${NOWHERE:-…}',
    );
    expect(problemsOf('endpoints: { a: { secrets: ["${EMPTY}"] } }')).toContain('${EMPTY}, which is not set');
  });

  it.each(['toString', 'constructor', '__proto__'])('does not read the inherited name %s', (name) => {
    expect(problemsOf(`endpoints: { a: { secrets: ["\${${name}}"] } }`)).toContain('which is not set');
  });

  it('refuses a tag it does not know, and prints no line of the file', () => {
    const message = problemsOf('endpoints: { a: { secrets: [!secret "Zk3vhunter2hunter2hunter2"] } }');
    expect(message).toBe(
      'line 1: found what YAML does not allow (TAG_RESOLVE_FAILED); expected YAML, with quotes around a text that holds ${…}, a colon or a bracket',
    );
  });

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

  it('judges a rule for a whole section without its wrong keys', () => {
    expect(problemsOf('destinations: { http: { gpa: 1s, first_wait: 16m, patience: [] } }')).toBe(
      'destinations.http.patience: found a list of 0; expected a time such as 400ms, 90s, 15m or 2d, from 1s to 30d\n' +
        'destinations.http.gpa: found an unknown key; expected gap? (one of gap, concurrency, timeout, first_wait, max_wait, patience, grace, max_probes, when_untraceable)\n' +
        'destinations.http.max_wait: found nothing; expected as much as first_wait, at least; 15m where it is left out',
    );
  });

  it('names the expected type', () => {
    expect(problemsOf('endpoints: { a: { secrets: nope } }')).toBe(
      'endpoints.a.secrets: found text of length 4; expected a list',
    );
  });

  it('refuses a weak secret without repeating it', () => {
    const message = problemsOf('endpoints: { a: { secrets: [hunter22] } }');
    expect(message).toContain('endpoints.a.secrets.0');
    expect(message).not.toContain('hunter22');
  });

  it('names the line that is not YAML', () => {
    expect(problemsOf('endpoints:\n  - {')).toMatch(
      /^line \d+: found what YAML does not allow \([A-Z_]+\); expected YAML, with quotes/,
    );
  });
});

const folder = mkdtempSync(join(tmpdir(), 'aftermeet-secret-'));

const read = createSecretFileReader(folder);

afterAll(() => rmSync(folder, { recursive: true }));

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
    expect(['nowhere', '.', 'bytes', 'large', 'a\0b'].map(read)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
