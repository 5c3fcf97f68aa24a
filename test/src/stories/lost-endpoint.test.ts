import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openTestStore, type TestStore } from '../support/index.ts';
import { type AftermeetProcess, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { waitFor } from './wait-for.ts';

const SALES = 'whsec_0123456789abcdef';
const HR = 'whsec_fedcba9876543210';
const WITHIN_MS = 20_000;
const STORY_WITHIN_MS = 90_000;

const folder = mkdtempSync(join(tmpdir(), 'aftermeet-lost-'));
const config = join(folder, 'aftermeet.yaml');
const both = `endpoints: { sales: { secrets: [${SALES}] }, hr: { secrets: [${HR}] } }\n`;
const hrAlone = `endpoints: { hr: { secrets: [${HR}] } }\n`;

describe('an endpoint that is gone from the settings file', () => {
  let store: TestStore;
  let receiver: AftermeetProcess | undefined;

  beforeAll(async () => {
    store = await openTestStore('embedded');
  });
  afterEach(() => receiver?.end('SIGKILL'));
  afterAll(async () => {
    await store.dispose();
    rmSync(folder, { recursive: true });
  });

  it('is served until it is removed on purpose, and back at once', { timeout: STORY_WITHIN_MS }, async () => {
    writeFileSync(config, both);
    receiver = await startAftermeet(['receiver', '--port', '0', '--config', config], {
      QUEUE_URL: store.queueUrl,
    });
    const { facts, pid, log } = receiver;
    const url = facts['url'] ?? '';
    let sent = 0;
    const statusOfSales = () => deliver(`${url}/hooks/sales`, `m-${(sent += 1)}`, SALES);
    const reload = async (text: string, line: string) => {
      const before = log().split(line).length;
      writeFileSync(config, text);
      process.kill(pid, 'SIGHUP');
      await waitFor(line, () => log().split(line).length > before || undefined, WITHIN_MS);
    };

    for (const text of ['', 'endpo', hrAlone, both.slice(0, 60)]) {
      await reload(text, 'endpoints unchanged');
      expect(await statusOfSales()).toBe(200);
    }
    expect(log()).toContain('endpoints.sales is gone');
    await reload(`${hrAlone}removed: [sales]\n`, 'endpoints reloaded');
    expect(await statusOfSales()).toBe(503);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready', endpoints: 1 });
    await reload(both, 'endpoints reloaded');
    expect(await statusOfSales()).toBe(200);
  });
});
