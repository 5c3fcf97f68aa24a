import { describe, expect, it } from 'vitest';

import { formatProblems } from './problem.ts';
import { readSettings } from './read-settings.ts';
import { receiverProblems } from './require-settings.ts';

const [A, B, C] = ['whsec_0123456789abcdef', 'whsec_fedcba9876543210', 'whsec_0f1e2d3c4b5a6978'];

function problemsOf(environment: Record<string, string>, file?: string): string {
  const read = readSettings(environment, file);
  return formatProblems(read.ok ? receiverProblems(read.settings) : read.problems);
}

describe('endpoints', () => {
  it('come from the environment and the file, the newest secret first', () => {
    const read = readSettings(
      { WEBHOOK_SECRET: A, WEBHOOK_SECRET_PREVIOUS: B, WEBHOOK_MASTER_SECRET: C },
      `endpoints: { sales: { secrets: ["${B}", "\${WEBHOOK_SECRET}"], unsigned: accept }, default: { unsigned: accept } }`,
    );
    expect(read.ok ? read.settings.endpoints : read.problems).toEqual({
      byName: new Map([
        ['default', { secrets: [A, B], unsigned: 'accept' }],
        ['sales', { secrets: [B, A], unsigned: 'accept' }],
      ]),
      masterSecret: C,
    });
  });

  it('take unsigned deliveries only with a master secret', () => {
    const file = `endpoints: { sales: { secrets: ["${A}"], unsigned: accept } }`;
    expect(problemsOf({}, file)).toBe(
      'endpoints.sales.unsigned: found accept without WEBHOOK_MASTER_SECRET; expected WEBHOOK_MASTER_SECRET, which makes the only addresses that take them',
    );
    expect(problemsOf({}, 'endpoints: { sales: { unsigned: accept } }')).toBe(problemsOf({}, file));
    expect(problemsOf({ WEBHOOK_MASTER_SECRET: C }, file)).toBe('');
  });
});

describe('a secret', () => {
  it.each<[string, Record<string, string>, string | undefined, string]>([
    [
      'that was not rotated',
      { WEBHOOK_SECRET: A, WEBHOOK_SECRET_PREVIOUS: A },
      undefined,
      'WEBHOOK_SECRET_PREVIOUS: found the same as WEBHOOK_SECRET; expected a secret of its own',
    ],
    [
      'that stands twice in the file',
      { S: A },
      `endpoints: { sales: { secrets: ["${A}", "\${S}"] } }`,
      'endpoints.sales.secrets.1: found the same as endpoints.sales.secrets.0; expected a secret of its own',
    ],
    [
      'of the service that is the master secret',
      { WEBHOOK_SECRET: A, WEBHOOK_MASTER_SECRET: A },
      undefined,
      'WEBHOOK_SECRET: found the same as WEBHOOK_MASTER_SECRET; expected a secret of its own',
    ],
    [
      'of the service that opens the management',
      { ADMIN_TOKEN: A },
      `endpoints: { sales: { secrets: ["\${ADMIN_TOKEN}"] } }`,
      'endpoints.sales.secrets.0: found the same as ADMIN_TOKEN; expected a secret of its own',
    ],
    [
      'that is master secret and admin token',
      { WEBHOOK_MASTER_SECRET: A, ADMIN_TOKEN: A },
      undefined,
      'WEBHOOK_MASTER_SECRET: found the same as ADMIN_TOKEN; expected a secret of its own',
    ],
  ])('%s is refused', (_name, environment, file, problem) => {
    expect(problemsOf(environment, file)).toBe(problem);
  });

  it.each(['hunter2', 'x'.repeat(129), 'changeme-changeme', '0123456789abcdef', ' 8f1e2d3c4b5a69780f1e '])(
    'that is weak is refused on every way in, and not repeated: %j',
    (weak) => {
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
        expect(problem).toMatch(/expected 16 to 128 characters that nobody guesses \(this one /);
        expect(problem).not.toContain(weak);
      }
    },
  );

  it.each(['', '~', '[]'])('that is not there is refused: secrets: %s', (secrets) => {
    expect(problemsOf({}, `endpoints: { sales: { secrets: ${secrets} } }`)).not.toBe('');
  });
});
