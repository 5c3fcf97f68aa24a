import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openTestStore, type TestStore } from '../support/index.ts';
import { type AftermeetProcess, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { waitFor } from './wait-for.ts';

const OLD = 'whsec_0123456789abcdef';
const NEW = 'whsec_fedcba9876543210';
const WITHIN_MS = 20_000;
const STORY_WITHIN_MS = 90_000;

const folder = mkdtempSync(join(tmpdir(), 'aftermeet-rotation-'));
const config = join(folder, 'aftermeet.yaml');

function allow(...secrets: readonly string[]): void {
  writeFileSync(config, `endpoints: { sales: { secrets: ${JSON.stringify(secrets)} } }`);
}

describe('a secret that is changed while deliveries arrive', () => {
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

  it('loses none of them', { timeout: STORY_WITHIN_MS }, async () => {
    allow(OLD);
    receiver = await startAftermeet(['receiver', '--port', '0', '--config', config], {
      QUEUE_URL: store.queueUrl,
    });
    const { facts, pid, log } = receiver;
    const hook = facts['hooks'] ?? '';
    const reload = async () => (await fetch(`${facts['url']}/api/reload`, { method: 'POST' })).json();
    let sent = 0;
    const statusesOf = (secret: string) =>
      Promise.all(Array.from({ length: 8 }, () => deliver(hook, `m-${(sent += 1)}`, secret)));

    let secret = OLD;
    const end = new AbortController();
    const statuses = new Map<number, number>();
    const load = Array.from({ length: 4 }, async (_, stream) => {
      for (let count = 0; !end.signal.aborted; count += 1) {
        const status = await deliver(hook, `load-${stream}-${count}`, secret);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });

    expect(new Set(await statusesOf(NEW))).toEqual(new Set([401]));
    allow(NEW, OLD);
    process.kill(pid, 'SIGHUP');
    await waitFor('the new endpoints', () => /endpoints reloaded/.exec(log()) ?? undefined, WITHIN_MS);
    expect(new Set([...(await statusesOf(OLD)), ...(await statusesOf(NEW))])).toEqual(new Set([200]));

    writeFileSync(config, 'endpoints: { sales: { secrets: [short] } }');
    expect(await reload()).toMatchObject({ ok: false });
    expect(new Set(await statusesOf(NEW))).toEqual(new Set([200]));

    secret = NEW;
    end.abort();
    await Promise.all(load);
    allow(NEW);
    expect(await reload()).toEqual({ ok: true, endpoints: ['sales'] });
    expect(new Set(await statusesOf(NEW))).toEqual(new Set([200]));
    expect(new Set(await statusesOf(OLD))).toEqual(new Set([401]));
    expect([...statuses.keys()]).toEqual([200]);
    expect(log()).not.toMatch(/whsec_|short"/);
  });
});
