import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Endpoints } from '@aftermeet/receiver';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { loadSettings } from '../settings/load.ts';
import { makeFolder } from '../testing/for-the-file.ts';
import { createRecordingLog } from '../testing/recording-log.ts';
import { createReload, serveEndpoints } from './reload.ts';

const [OLD, NEW, OTHER] = ['whsec_0123456789abcdef', 'whsec_fedcba9876543210', 'whsec_c2ae0b7d91f84e63'];

let nowMs = 0;
beforeEach(() => (nowMs = 1_780_000_000_000));

const folder = makeFolder();
const configPath = join(folder, 'aftermeet.yaml');

afterEach(() => vi.restoreAllMocks());

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

  const master = { WEBHOOK_MASTER_SECRET: 'mk7Qz-93hd-Pw0x-55Ls' };
  const sales = `endpoints: { sales: { secrets: ["${OLD}"] } }`;
  const uploads = (unsigned: string) =>
    `endpoints: { uploads: { ${unsigned} recipes: [r] } }\nrecipes: { r: { use: slack-recap, with: { channel: C0123ABC } } }`;

  it.each<[string, string, string, RegExp]>([
    ['is no YAML', sales, '{', /^line 1: found what YAML does not allow/],
    [
      'has a weak secret',
      sales,
      'endpoints: { sales: { secrets: [hunter22] } }',
      /^endpoints\.sales\.secrets\.0: found/,
    ],
    [
      'names a variable that is not set',
      sales,
      'endpoints: { sales: { secrets: ["${S}"] } }',
      /\$\{S\}, which is not set/,
    ],
    [
      'lacks an endpoint: its deliveries would get 404',
      twoEndpoints,
      `endpoints: { hr: { secrets: ["${OTHER}"] } }`,
      /^endpoints\.sales is gone, and the service never repeats what gets 404\. To remove it on purpose, list it: removed: \[sales\]\.$/,
    ],
    [
      'has lost the secrets of an endpoint, although its derived addresses are left',
      sales,
      'endpoints: { sales: {} }',
      /^endpoints\.sales has lost its secrets, and the service never repeats what is refused\. If that is meant, restart the receiver\.$/,
    ],
    [
      'no longer accepts unsigned deliveries',
      uploads('unsigned: accept,'),
      uploads(''),
      /endpoints\.uploads has lost unsigned/,
    ],
    [
      'has an endpoint that is both there and removed',
      twoEndpoints,
      `${twoEndpoints}\nremoved: [sales]`,
      /^removed: found sales, which is an endpoint; expected the names of endpoints that are there no more$/,
    ],
  ])('changes nothing if the file %s', async (_name, before, after, problem) => {
    const { reload, replaced, lines } = await start(before, master);
    writeFileSync(configPath, after);
    const result = await reload();
    expect(result).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
    expect(replaced).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/^error endpoints unchanged/)]);
    expect(JSON.stringify([result, lines])).not.toMatch(/hunter22|whsec_/);
    writeFileSync(configPath, before);
    expect(await reload()).toMatchObject({ ok: true });
  });

  it.each([
    ['', /^WEBHOOK_SECRET: found nothing/],
    ['endpoints: { sales: {} }', /^endpoints\.sales\.secrets: found nothing/],
  ])('changes nothing if no endpoint has a secret any more: %j', async (text, problem) => {
    const { reload, replaced } = await start(sales);
    writeFileSync(configPath, text);
    expect(await reload()).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
    expect(replaced).toEqual([]);
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

  it('ends with the newest file after concurrent reloads', async () => {
    const { reload, replaced } = await start(`endpoints: { sales: { secrets: ["${OLD}"] } }`);
    const first = reload();
    writeFileSync(configPath, `endpoints: { sales: { secrets: ["${NEW}"] } }`);
    await Promise.all([first, reload(), reload()]);
    expect(replaced.at(-1)?.byName.get('sales')).toEqual({ secrets: [NEW] });
  });
});
