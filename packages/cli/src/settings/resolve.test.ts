import { settlePolicies } from '@aftermeet/recipes';
import { describe, expect, it } from 'vitest';

import { formatProblem } from '../errors.ts';
import { receiverProblems, recipeProblems } from './load.ts';
import { readSettings } from './resolve.ts';

const secret = 'c0ffee00d15ea5ed0badf00ddeadbea7';

const [A, B, C, D] = [
  'whsec_0123456789abcdef',
  'whsec_fedcba9876543210',
  'whsec_0f1e2d3c4b5a6978',
  'whsec_c2ae0b7d91f84e63',
];

const mail = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'a@example.com', MAIL_TO: 'b@example.com' };

function resolve(environment: Record<string, string>, text?: string) {
  const settings = readSettings(environment, text);
  return settings.ok ? settings.settings : settings.problems.map(formatProblem).join('\n');
}

describe('readSettings', () => {
  it('asks for the recipes of an endpoint that accepts unsigned deliveries', () => {
    const recipes = 'recipes: { files: { use: archive-export, with: { folder: /srv } } }';
    expect(
      resolve({}, `endpoints: { uploads: { secrets: [${secret}], unsigned: accept } }\n${recipes}`),
    ).toBe(
      'endpoints.uploads.recipes: found nothing, with unsigned: accept; expected the recipes that unsigned deliveries may run, such as [files]',
    );
  });

  it('believes the header of a proxy only where the proxy is known, and others need a token', () => {
    const header = { CONSOLE_TRUST_HEADER: 'X-Forwarded-User' };
    expect(resolve(header)).toBe(
      'TRUSTED_PROXIES: found nothing; expected a value, because CONSOLE_TRUST_HEADER is set\n' +
        'ADMIN_TOKEN: found nothing; expected a value, because CONSOLE_TRUST_HEADER is set',
    );
    expect(resolve({ ...header, TRUSTED_PROXIES: '10.0.0.1', ADMIN_TOKEN: A })).toMatchObject({
      consoleTrustHeader: 'x-forwarded-user',
    });
  });

  it('gives management an address of its own with ADMIN_PORT, on this machine unless ADMIN_HOST says so', () => {
    expect(resolve({ ADMIN_PORT: '9090' })).toMatchObject({ admin: { host: '127.0.0.1', port: 9090 } });
    expect(resolve({ ADMIN_PORT: '0', ADMIN_HOST: '::1' })).toMatchObject({
      admin: { host: '::1', port: 0 },
    });
    expect(resolve({ ADMIN_HOST: '10.0.0.5' })).toBe(
      'ADMIN_PORT: found nothing; expected a port, because ADMIN_HOST is set',
    );
  });

  it('refuses conditions that never hold', () => {
    const text = `
endpoints: { sales: { secrets: [${secret}] } }
recipes:
  all: { use: archive-export, with: { folder: /srv/a } }
  rest: { use: archive-export, when: { otherwise: true }, with: { folder: /srv/b } }
  sale: { use: archive-export, when: { endpoint: sale }, with: { folder: /srv/c } }`;
    expect(resolve({}, text)).toBe(
      'recipes.rest.when.otherwise: found a condition that never holds; expected conditions (when) on all, which takes every meeting\n' +
        'recipes.sale.when.endpoint: found the unknown endpoint "sale"; expected sales? (one of default, sales)',
    );
  });

  it('has no policies, no reconciliation and no worker port by default', () => {
    const settings = resolve({});
    expect(settings).toMatchObject({ policies: {} });
    expect(settings).not.toHaveProperty('reconcile');
    expect(settings).not.toHaveProperty('workerPort');
  });

  it('changes the policies of the destinations that the file names', () => {
    const text =
      'destinations: { slack: { gap: 2s, concurrency: 4, timeout: 8s, first_wait: 400ms, max_wait: 1m, patience: 1d, grace: 5s, max_probes: "3" },' +
      ' email: { when_untraceable: hold }, http: { concurrency: 2 }, folder: { timeout: 5m } }';
    const read = readSettings({}, text);
    const policies = settlePolicies(read.ok ? read.settings.policies : {});
    const defaults = settlePolicies();
    const changes = {
      slack: {
        gapMs: 2000,
        concurrency: 4,
        timeoutMs: 8000,
        firstWaitMs: 400,
        maxWaitMs: 60_000,
        patienceMs: 86_400_000,
        graceMs: 5000,
        maxProbes: 3,
      },
      notion: {},
      email: { whenUntraceable: 'hold' },
      http: { concurrency: 2 },
      folder: { timeoutMs: 300_000 },
    };
    for (const [name, change] of Object.entries(changes)) {
      expect(policies.of(name)).toEqual({ ...defaults.of(name), ...change });
    }
  });

  it.each([
    ['reconcile: { every: 1h }', 'default'],
    [`reconcile: { every: 1h }\nendpoints: { sales: { secrets: [${secret}] } }`, 'sales'],
    [
      `reconcile: { every: 1h, endpoint: hr }\nendpoints: { sales: { secrets: [${secret}] }, hr: { secrets: [${secret}1] } }`,
      'hr',
    ],
  ])('chooses the endpoint of reconciliation: %j', (text, endpoint) => {
    expect(resolve({}, text)).toMatchObject({
      reconcile: { everyMs: 3_600_000, sinceMs: 172_800_000, endpoint },
    });
  });

  it.each([
    [
      '',
      'reconcile.endpoint: found nothing; expected one of sales, hr: the endpoint of meetings whose own one is not known',
    ],
    [
      ', endpoint: sale',
      'reconcile.endpoint: found the unknown endpoint "sale"; expected sales? (one of sales, hr)',
    ],
  ])('requires the endpoint of reconciliation if there are several: %j', (choice, problem) => {
    const endpoints = `endpoints: { sales: { secrets: [${secret}] }, hr: { secrets: [${secret}1] } }`;
    expect(resolve({}, `reconcile: { every: 1h${choice} }\n${endpoints}`)).toBe(problem);
  });

  it('reads the mailbox of sent mail', () => {
    const url = 'imaps://me:hunter2@mail.example:993';
    expect(resolve({ ...mail, IMAP_URL: url })).toMatchObject({ destinations: { email: { imap: { url } } } });
    expect(resolve({ ...mail, IMAP_URL: url, IMAP_MAILBOX: 'Sent' })).toMatchObject({
      destinations: { email: { imap: { url, mailbox: 'Sent' } } },
    });
  });

  it('needs no recipients: the recipes then choose among the participants', () => {
    const { MAIL_TO: _to, ...pair } = mail;
    expect(resolve(pair)).toMatchObject({
      destinations: { email: { smtpUrl: 'smtp://127.0.0.1:25', from: 'a@example.com', to: [] } },
      recipes: [{ name: 'email-follow-up' }],
    });
  });

  it('needs no default channel and no default data source if each recipe names its own', () => {
    const tokens = { SLACK_BOT_TOKEN: 'xoxb-1', NOTION_TOKEN: 'ntn_1' };
    const named =
      'recipes: { recap: { use: slack-recap, with: { channel: C0123 } },' +
      ' page: { use: notion-page, with: { dataSource: 1f6a9c2e } } }';
    const read = readSettings(tokens, named);
    expect(read.ok ? recipeProblems(read.settings) : read.problems).toEqual([]);
    const unnamed = readSettings(
      tokens,
      'recipes: { recap: { use: slack-recap }, page: { use: notion-page } }',
    );
    expect((unnamed.ok ? recipeProblems(unnamed.settings) : unnamed.problems).map(formatProblem)).toEqual([
      'recipes.recap.with.channel: found nothing; expected the id of a channel, or SLACK_CHANNEL',
      'recipes.page.with.dataSource: found nothing; expected the id of a data source, or NOTION_DATA_SOURCE_ID',
    ]);
    expect(resolve(tokens)).toBe(
      'SLACK_CHANNEL: found nothing; expected a value, because SLACK_BOT_TOKEN is set\n' +
        'NOTION_DATA_SOURCE_ID: found nothing; expected a value, because NOTION_TOKEN is set',
    );
  });

  it('adds the mail section of the file if there is a mail server', () => {
    const text = `mail:
  internal_domains: Example.com
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
    expect(resolve({ ...mail, ...secrets }, text)).toMatchObject({
      destinations: {
        email: {
          to: ['b@example.com'],
          internalDomains: ['example.com'],
          replyTo: 'team@example.com',
          unsubscribeUrl: 'https://example.com/unsubscribe',
          idempotencyHeader: 'X-EE-Idempotency-Key',
          dkim: { domain: 'example.com', selector: 'mail2026', privateKey: secrets.DKIM },
          oauth2: { user: 'me@example.com', clientId: 'id', clientSecret: 'hunter2', refreshToken: 'token' },
        },
      },
    });
    expect(resolve(secrets, text)).toMatchObject({ destinations: {} });
  });

  it.each([
    [{ ...mail, IMAP_MAILBOX: 'Sent' }, 'IMAP_URL', 'IMAP_MAILBOX'],
    [{ MAIL_TO: 'b@example.com' }, 'SMTP_URL', 'MAIL_TO'],
    [{ MAIL_TO: 'b@example.com', MAIL_FROM: 'a@example.com' }, 'SMTP_URL', 'MAIL_FROM'],
    [{ IMAP_URL: 'imap://mail.example' }, 'SMTP_URL', 'IMAP_URL'],
  ])('refuses %j without %s', (environment, missing, given) => {
    expect(resolve(environment)).toBe(`${missing}: found nothing; expected a value, because ${given} is set`);
  });

  it.each([
    [
      { ...mail, IMAP_URL: 'https://me:hunter2@mail.example' },
      'IMAP_URL: found https://… (31 characters); expected imap://user:password@host:port or imaps://user:password@host:port',
    ],
    [{ WORKER_PORT: '70000' }, 'WORKER_PORT: found "70000"; expected a whole number from 0 to 65535'],
  ])('refuses %j', (environment, problem) => {
    expect(resolve(environment)).toBe(problem);
  });
});

it('lists the problems of the environment and of the file at once', () => {
  const text = `endpoints:
  sales: { secrets: ["\${SALES_SECRET}"], recipes: [recapp, recap, broken] }
  hr: { secrets: [hunter2], unsinged: accept }
  lab: { secrets: !vault [${A}] }
recipes:
  recap: { use: slack-recapp }
  alert: { use: slack-alert, with: { chanel: C0123 } }
  hook: { use: http-forward, with: { url: "\${HOOK_URL}", secret: ${secret} } }
  broken: { when: { event: meeting.failed } }
destinations: { slack: { concurrency: 0 } }
reconcile: { every: 1h, endpoint: salse }
reconcile: { every: 1h, endpoint: salse }
`;
  const yaml = 'YAML, with quotes around a text that holds ${…}, a colon or a bracket';
  expect(resolve({ PORT: 'x', SLACK_CHANNEL: 'C0123' }, text)).toBe(
    [
      'PORT: found "x"; expected a whole number from 0 to 65535',
      `line 4: found what YAML does not allow (TAG_RESOLVE_FAILED); expected ${yaml}`,
      `line 12: found what YAML does not allow (DUPLICATE_KEY); expected ${yaml}`,
      'endpoints.sales.secrets.0: found ${SALES_SECRET}, which is not set; expected the variable SALES_SECRET, or a default: ${SALES_SECRET:-…}',
      'recipes.hook.with.url: found ${HOOK_URL}, which is not set; expected the variable HOOK_URL, or a default: ${HOOK_URL:-…}',
      "endpoints.hr.secrets.0: found text of length 7; expected 16 to 128 characters that can't be guessed (this one is shorter than 16 characters)",
      'endpoints.hr.unsinged: found an unknown key; expected unsigned? (one of secrets, recipes, unsigned)',
      'recipes.broken.use: found nothing; expected text',
      'destinations.slack.concurrency: found the number 0; expected a whole number from 1 to 1000',
      'SLACK_BOT_TOKEN: found nothing; expected a value, because SLACK_CHANNEL is set',
      'recipes.recap.use: found the unknown recipe "slack-recapp"; expected slack-recap? (one of slack-recap, slack-tasks, notion-page, notion-tasks, email-follow-up, email-digest, http-forward, archive-export, slack-alert, email-alert)',
      'recipes.alert.with.chanel: found a setting that is not known; expected channel? (one of channel, cooldown, link)',
      'endpoints.sales.recipes: found the unknown recipe "recapp"; expected recap? (one of recap, alert, hook, broken)',
      'reconcile.endpoint: found the unknown endpoint "salse"; expected sales? (one of sales, hr, lab)',
    ].join('\n'),
  );
});

it('does not say of a wrong variable that what needs it is missing', () => {
  const reconcile = 'reconcile: { every: 1h, endpoint: default }';
  expect(resolve({ WEBHOOK_SECRET: 'short', SMTP_URL: 'mail', MAIL_FROM: 'a@example.com' }, reconcile)).toBe(
    "WEBHOOK_SECRET: found 5 characters; expected 16 to 128 characters that can't be guessed (this one is shorter than 16 characters)\n" +
      'SMTP_URL: found 4 characters; expected smtp://host:port or smtps://user:password@host:port',
  );
});

function problemsOf(environment: Record<string, string>, file?: string): string {
  const read = readSettings(environment, file);
  return (read.ok ? receiverProblems(read.settings) : read.problems).map(formatProblem).join('\n');
}

describe('endpoints', () => {
  it('come from the environment and the file, the newest secret first', () => {
    const read = readSettings(
      { WEBHOOK_SECRET: A, WEBHOOK_SECRET_PREVIOUS: B, WEBHOOK_MASTER_SECRET: C, SALES: D },
      `endpoints: { sales: { secrets: ["\${SALES}"], unsigned: accept, recipes: [] }, default: { unsigned: accept, recipes: [] } }`,
    );
    expect(read.ok ? read.settings.endpoints : read.problems).toEqual({
      byName: new Map([
        ['default', { secrets: [A, B], unsigned: 'accept' }],
        ['sales', { secrets: [D], unsigned: 'accept' }],
      ]),
      masterSecret: C,
    });
  });

  it('take unsigned deliveries only with a master secret', () => {
    const file = `endpoints: { sales: { secrets: ["${A}"], unsigned: accept, recipes: [] } }`;
    expect(problemsOf({}, file)).toBe(
      'endpoints.sales.unsigned: found accept without WEBHOOK_MASTER_SECRET; expected WEBHOOK_MASTER_SECRET: only its addresses accept unsigned deliveries',
    );
    expect(problemsOf({}, 'endpoints: { sales: { unsigned: accept, recipes: [] } }')).toBe(
      problemsOf({}, file),
    );
    expect(problemsOf({ WEBHOOK_MASTER_SECRET: C }, file)).toBe('');
  });
});

describe('a secret', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['WEBHOOK_SECRET_PREVIOUS', { WEBHOOK_SECRET: A, WEBHOOK_SECRET_PREVIOUS: A }, '', 'WEBHOOK_SECRET'],
    ['WEBHOOK_SECRET', { WEBHOOK_SECRET: A, WEBHOOK_MASTER_SECRET: A }, '', 'WEBHOOK_MASTER_SECRET'],
    ['WEBHOOK_MASTER_SECRET', { WEBHOOK_MASTER_SECRET: A, ADMIN_TOKEN: A }, '', 'ADMIN_TOKEN'],
    ['endpoints.hr.secrets.0', { ADMIN_TOKEN: A }, 'hr: { secrets: ["${ADMIN_TOKEN}"] }', 'ADMIN_TOKEN'],
    ['endpoints.hr.secrets.0', { WEBHOOK_SECRET: A }, `hr: { secrets: [${A}] }`, 'WEBHOOK_SECRET'],
    ['endpoints.hr.secrets.1', { S: A }, `hr: { secrets: [${A}, "\${S}"] }`, 'endpoints.hr.secrets.0'],
    [
      'endpoints.hr.secrets.0',
      {},
      `sales: { secrets: [${A}] }, hr: { secrets: [${A}] }`,
      'endpoints.sales.secrets.0',
    ],
  ])('has one purpose: %s with %j and the endpoints %j', (setting, environment, endpoints, other) => {
    const file = endpoints === '' ? undefined : `endpoints: { ${endpoints} }`;
    expect(problemsOf(environment, file)).toBe(
      `${setting}: found the same as ${other}; expected a secret of its own`,
    );
  });

  it.each([
    'hunter2',
    'x'.repeat(129),
    'changeme-changeme',
    '0123456789abcdef',
    'aaaaaaaaaaaaaaaaaaaa',
    ' 8f1e2d3c4b5a69780f1e ',
  ])('that is weak is refused wherever it is set, and not repeated: %j', (weak) => {
    const ways = [
      problemsOf({ WEBHOOK_SECRET: weak }),
      problemsOf({ WEBHOOK_SECRET: A, WEBHOOK_SECRET_PREVIOUS: weak }),
      problemsOf({ WEBHOOK_MASTER_SECRET: weak }),
      problemsOf({ WEBHOOK_SECRET: A, ADMIN_TOKEN: weak }),
      problemsOf({}, `endpoints: { sales: { secrets: [${JSON.stringify(weak)}] } }`),
      problemsOf({ S: weak }, 'endpoints: { sales: { secrets: ["${S}"] } }'),
      problemsOf({}, `endpoints: { sales: { secrets: ["\${S:-${weak}}"] } }`),
    ];
    for (const problem of ways) {
      expect(problem).toMatch(/expected 16 to 128 characters that can't be guessed \(this one /);
      expect(problem).not.toContain(weak);
    }
  });

  it.each(['', '~', '[]'])('that is missing is refused: secrets: %s', (secrets) => {
    expect(problemsOf({}, `endpoints: { sales: { secrets: ${secrets} } }`)).not.toBe('');
  });
});

it.each([
  ['linux', '24.0.0', true],
  ['linux', '22.12.0', true],
  ['linux', '20.20.2', false],
  ['linux', '22.11.0', false],
  ['darwin', '24.0.0', false],
])('REUSE_PORT=1 on %s with Node %s can be used: %s', (platform, nodeVersion, isUsable) => {
  const read = readSettings({ WEBHOOK_SECRET: A, REUSE_PORT: '1' });
  const found = read.ok ? receiverProblems(read.settings, { platform, nodeVersion }) : read.problems;
  const problem =
    `REUSE_PORT: found 1 with Node ${nodeVersion} on ${platform}; expected Linux and Node 22.12 or newer; ` +
    'elsewhere run each receiver on its own PORT behind a balancer';
  expect(found.map(formatProblem)).toEqual(isUsable ? [] : [problem]);
});
