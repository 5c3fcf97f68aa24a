import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Endpoints } from '@aftermeet/receiver';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { loadSettings } from '../settings/load.ts';
import { createRecordingLog } from '../testing/recording-log.ts';
import { createReload, serveEndpoints } from './reload.ts';

const [OLD, NEW, OTHER] = ['whsec_0123456789abcdef', 'whsec_fedcba9876543210', 'whsec_c2ae0b7d91f84e63'];

let nowMs = 0;
beforeEach(() => (nowMs = 1_780_000_000_000));

const folder = mkdtempSync(join(tmpdir(), 'aftermeet-reload-'));
const configPath = join(folder, 'aftermeet.yaml');

afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

const twoEndpoints = `endpoints: { sales: { secrets: ["${OLD}"] }, hr: { secrets: ["${OTHER}"] } }`;

/** A receiver that started with this file, named or found in its folder. */
async function start(text: string, environment: Record<string, string> = {}) {
  writeFileSync(configPath, text);
  return startAs(configPath, environment);
}

async function startByDefault(text: string | undefined, environment: Record<string, string>) {
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  if (text !== undefined) writeFileSync(configPath, text);
  return startAs(undefined, environment);
}

async function startAs(named: string | undefined, environment: Record<string, string>) {
  const settings = await loadSettings(environment, named);
  const replaced: Endpoints[] = [];
  const { log, lines } = createRecordingLog();
  const replace = (endpoints: Endpoints): void => {
    replaced.push(endpoints);
  };
  return {
    replaced,
    lines,
    reload: createReload({
      environment,
      configPath: named,
      settings,
      served: serveEndpoints(settings, nowMs),
      replace,
      log,
      nowMs: () => nowMs,
    }),
  };
}

describe('reloading the settings', () => {
  it('replaces the endpoints', async () => {
    const { reload, replaced, lines } = await start(`endpoints: { sales: { secrets: ["${OLD}"] } }`);
    writeFileSync(
      configPath,
      `endpoints: { sales: { secrets: ["${NEW}", "${OLD}"] }, hr: { secrets: ["${OTHER}"] } }`,
    );
    expect(await reload()).toEqual({ ok: true, endpoints: ['sales', 'hr'] });
    expect(replaced).toEqual([
      {
        byName: new Map([
          ['sales', { secrets: [NEW, OLD] }],
          ['hr', { secrets: [OTHER] }],
        ]),
        removed: new Map(),
      },
    ]);
    expect(lines).toEqual(['info endpoints reloaded {"endpoints":["sales","hr"]}']);
  });

  it('reads secret files again', async () => {
    const secretFile = join(folder, 'sales');
    writeFileSync(secretFile, `${OLD}\n`);
    const { reload, replaced } = await start('endpoints: { sales: { secrets: ["${file:sales}"] } }');
    writeFileSync(secretFile, `${NEW}\n`);
    await reload();
    expect(replaced[0]?.byName.get('sales')).toEqual({ secrets: [NEW] });
  });

  it('names other changes, which need a restart', async () => {
    const { reload, lines } = await start(`endpoints: { sales: { secrets: ["${OLD}"] } }`);
    writeFileSync(
      configPath,
      `endpoints: { sales: { secrets: ["${NEW}"], recipes: [r] } }\nrecipes: { r: { use: slack-recap, with: { channel: C0123ABC } } }`,
    );
    const needRestart = ['recipes (of the worker)', 'endpoints.*.recipes (of the worker)'];
    expect(await reload()).toEqual({ ok: true, endpoints: ['sales'], needRestart });
    expect(lines[0]).toContain('needRestart');
  });

  it.each([
    ['is no YAML', '{', /^line 1: found what YAML does not allow/],
    [
      'has a weak secret',
      'endpoints: { sales: { secrets: [hunter22] } }',
      /^endpoints\.sales\.secrets\.0: found/,
    ],
    [
      'names a variable that is not set',
      'endpoints: { sales: { secrets: ["${S}"] } }',
      /\$\{S\}, which is not set/,
    ],
    ['has no endpoint any more', '', /^WEBHOOK_SECRET: found nothing/],
    [
      'has an endpoint without a secret',
      'endpoints: { sales: {} }',
      /^endpoints\.sales\.secrets: found nothing/,
    ],
  ])('changes nothing if the file %s', async (_name, text, problem) => {
    const { reload, replaced, lines } = await start(`endpoints: { sales: { secrets: ["${OLD}"] } }`);
    writeFileSync(configPath, text);
    const result = await reload();
    expect(result).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
    expect(replaced).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^error endpoints unchanged/);
    expect(JSON.stringify([result, lines])).not.toMatch(/hunter22|whsec_/);
  });

  it('changes nothing if the named file is gone', async () => {
    const { reload, replaced } = await start(`endpoints: { sales: { secrets: ["${OLD}"] } }`);
    rmSync(configPath);
    expect(await reload()).toMatchObject({ ok: false });
    expect(replaced).toEqual([]);
  });

  it.each(['sales', 'default'])(
    'changes nothing if the default file is gone, although the environment alone would be enough: %s',
    async (name) => {
      const text = `endpoints: { ${name}: { secrets: ["${OLD}"] } }`;
      const { reload, replaced, lines } = await startByDefault(text, { WEBHOOK_SECRET: NEW });
      rmSync(configPath);
      expect(await reload()).toEqual({ ok: false, problems: [`The settings file ${configPath} is gone.`] });
      expect([replaced, lines]).toEqual([[], [expect.stringMatching(/^error endpoints unchanged/)]]);
      writeFileSync(configPath, text);
      expect(await reload()).toMatchObject({ ok: true });
    },
  );

  it('works without a file until there is one', async () => {
    rmSync(configPath, { force: true });
    const { reload } = await startByDefault(undefined, { WEBHOOK_SECRET: NEW });
    expect(await reload()).toEqual({ ok: true, endpoints: ['default'] });
    writeFileSync(configPath, `endpoints: { sales: { secrets: ["${OLD}"] } }`);
    expect(await reload()).toEqual({ ok: true, endpoints: ['default', 'sales'] });
    rmSync(configPath);
    expect(await reload()).toMatchObject({ ok: false });
  });

  it('changes nothing if an endpoint is gone from the file: its deliveries would get 404', async () => {
    const { reload, replaced, lines } = await start(twoEndpoints);
    writeFileSync(configPath, `endpoints: { hr: { secrets: ["${OTHER}"] } }`);
    expect(await reload()).toEqual({
      ok: false,
      problems: [
        'endpoints.sales is gone, and the service never repeats what gets 404. To remove it on purpose, list it: removed: [sales].',
      ],
    });
    expect(replaced).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/^error endpoints unchanged/)]);
    writeFileSync(configPath, twoEndpoints);
    expect(await reload()).toMatchObject({ ok: true });
  });

  it('changes nothing if an endpoint has lost its secrets, although its derived addresses are left', async () => {
    const master = { WEBHOOK_MASTER_SECRET: 'mk7Qz-93hd-Pw0x-55Ls' };
    const { reload, replaced } = await start(`endpoints: { sales: { secrets: ["${OLD}"] } }`, master);
    writeFileSync(configPath, 'endpoints: { sales: {} }');
    expect(await reload()).toEqual({
      ok: false,
      problems: [
        'endpoints.sales has lost its secrets, and the service never repeats what is refused. If that is meant, restart the receiver.',
      ],
    });
    expect(replaced).toEqual([]);
  });

  it('changes nothing if an endpoint no longer accepts unsigned deliveries', async () => {
    const master = { WEBHOOK_MASTER_SECRET: 'mk7Qz-93hd-Pw0x-55Ls' };
    const write = (unsigned: string): string =>
      `endpoints: { uploads: { ${unsigned} recipes: [r] } }\nrecipes: { r: { use: slack-recap, with: { channel: C0123ABC } } }`;
    const { reload } = await start(write('unsigned: accept,'), master);
    writeFileSync(configPath, write(''));
    expect(await reload()).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('endpoints.uploads has lost unsigned')],
    });
  });

  it('removes the endpoints that are listed as removed, with 503 for some hours from the first time on', async () => {
    const { reload, replaced, lines } = await start(twoEndpoints, { WEBHOOK_REMOVED_HOURS: '2' });
    writeFileSync(configPath, `endpoints: { hr: { secrets: ["${OTHER}"] } }\nremoved: [sales]`);
    expect(await reload()).toEqual({ ok: true, endpoints: ['hr'], removed: ['sales'] });
    nowMs += 3_600_000;
    expect(await reload()).toEqual({ ok: true, endpoints: ['hr'] });
    // Its time is over, and does not begin again.
    nowMs += 24 * 3_600_000;
    expect(await reload()).toEqual({ ok: true, endpoints: ['hr'] });
    nowMs -= 24 * 3_600_000;
    const untilMs = 1_780_007_200_000;
    expect(replaced.map(({ removed }) => removed)).toEqual([
      new Map([['sales', untilMs]]),
      new Map([['sales', untilMs]]),
      new Map([['sales', untilMs]]),
    ]);
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
      'warn endpoints removed: their deliveries get 503 for some hours, then 404 {"removed":["sales"],"hours":2}',
    ]);
    // The list stands at the end, and a half-written file has no end.
    writeFileSync(configPath, `endpoints: { hr: { secrets: ["${OTHER}"] } }`);
    expect(await reload()).toEqual({ ok: true, endpoints: ['hr'] });
    expect(replaced.at(-1)?.removed).toEqual(new Map([['sales', untilMs]]));
    writeFileSync(configPath, twoEndpoints);
    expect(await reload()).toEqual({ ok: true, endpoints: ['sales', 'hr'] });
    expect(replaced.at(-1)?.removed).toEqual(new Map());
  });

  it('does not take a file in which an endpoint is both there and removed', async () => {
    const { reload } = await start(twoEndpoints);
    writeFileSync(configPath, `${twoEndpoints}\nremoved: [sales]`);
    expect(await reload()).toEqual({
      ok: false,
      problems: [
        'removed: found sales, which is an endpoint; expected the names of endpoints that are there no more',
      ],
    });
  });

  it('ends with the newest file after concurrent reloads', async () => {
    const { reload, replaced } = await start(`endpoints: { sales: { secrets: ["${OLD}"] } }`);
    const first = reload();
    writeFileSync(configPath, `endpoints: { sales: { secrets: ["${NEW}"] } }`);
    await Promise.all([first, reload(), reload()]);
    expect(replaced.at(-1)?.byName.get('sales')).toEqual({ secrets: [NEW] });
  });
});
