import { silentLog } from '@aftermeet/queue';
import { afterEach, describe, expect, it } from 'vitest';

import { openWorkerStatus, type WorkerStatus } from './worker-status.ts';

const TOKEN = 'd3b07384d113edec49eaa6238ad5ff00';
const usual = { host: '127.0.0.1', workerPort: 0, trustedProxies: [] };
const worker = {
  ping: async () => {},
  renderMetrics: async () => 'aftermeet_effects_total 1\n',
  readClockAheadMs: () => 5400,
};

const open: WorkerStatus[] = [];

afterEach(async () => {
  for (const status of open.splice(0)) await status.close();
});

async function start(settings: object = {}, changes: object = {}) {
  const status = await openWorkerStatus({ ...usual, ...settings }, { ...worker, ...changes }, silentLog);
  open.push(status);
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${status.url}${path}`, init);
    return `${response.status} ${await response.text()}`;
  };
}

describe('openWorkerStatus', () => {
  it('says that the worker is alive and ready, and gives its figures to this machine', async () => {
    const ask = await start();
    expect(await ask('/healthz')).toBe('200 {"status":"ok"}');
    expect(await ask('/readyz?now')).toBe('200 {"status":"ready"}');
    expect(await ask('/metrics')).toBe('200 aftermeet_effects_total 1\n');
    expect(await ask('/metrics', { headers: { 'X-Forwarded-For': '10.0.0.1' } })).toBe(
      '401 {"status":"refused","reason":"unauthorized"}',
    );
    expect(await ask('/metrics', { method: 'POST' })).toBe(
      '405 {"status":"refused","reason":"wrong_method"}',
    );
    expect(await ask('/healthz', { method: 'HEAD' })).toBe('200 ');
    expect(await ask('/')).toBe('404 {"status":"refused","reason":"not_found"}');
  });

  it('says when its clock is off by more than five seconds', async () => {
    const behind = await start({}, { readClockAheadMs: () => -3_600_400 });
    expect(await behind('/healthz')).toBe('200 {"status":"ok","clock_ahead_seconds":-3600}');
  });

  it('wants the token once there is one, and has no figures without one where others may ask', async () => {
    const withToken = await start({ adminToken: TOKEN });
    expect(await withToken('/metrics')).toMatch(/^401/);
    expect(await withToken('/metrics', { headers: { Authorization: `Bearer ${TOKEN}` } })).toMatch(/^200/);
    const reached = await start({ publicUrl: 'https://hooks.example.com' });
    expect(await reached('/metrics')).toMatch(/^401/);
    expect(await reached('/healthz')).toMatch(/^200/);
  });

  it('answers 429 to who tries many tokens, and still gives the figures to who has it', async () => {
    const ask = await start({ adminToken: TOKEN });
    const wrong = { headers: { Authorization: 'Bearer wrong-token-0123456789' } };
    for (let times = 0; times < 20; times += 1) expect(await ask('/metrics', wrong)).toMatch(/^401/);
    expect(await ask('/metrics', wrong)).toBe('429 {"status":"refused","reason":"too_many"}');
    expect(await ask('/metrics')).toMatch(/^401/);
    expect(await ask('/metrics', { headers: { Authorization: `Bearer ${TOKEN}` } })).toMatch(/^200/);
  });

  it('is not ready while the store is away, or does not answer, and puts one question at a time', async () => {
    const away = await start({}, { ping: () => Promise.reject(new Error('away')) });
    expect(await away('/readyz')).toBe('503 {"status":"queue_unavailable"}');
    let asked = 0;
    const ping = () => {
      asked += 1;
      return new Promise<void>(() => {});
    };
    const silent = await start({}, { ping });
    const answers = await Promise.all([silent('/readyz'), silent('/readyz')]);
    expect(answers).toEqual(Array(2).fill('503 {"status":"queue_unavailable"}'));
    expect(asked).toBe(1);
  });

  it('says which port is taken', async () => {
    await start();
    const port = Number(new URL(open[0]?.url ?? '').port);
    await expect(openWorkerStatus({ ...usual, workerPort: port }, worker, silentLog)).rejects.toThrow(
      `Port ${port} is taken. Choose another with WORKER_PORT`,
    );
  });
});
