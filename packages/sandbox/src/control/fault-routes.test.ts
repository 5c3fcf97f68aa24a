import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { askRaw } from '../testing/receiver.ts';
import { useTestSandbox } from '../testing/sandbox.ts';
import { makeChunkBody, multipartType } from '../testing/uploads.ts';

const test = useTestSandbox();

const faults = '/_sandbox/faults';
const plan = (body: object) => test.call('POST', faults, body);

describe('/_sandbox/faults', () => {
  it('lists the faults of calls and of deliveries, none of which share an id', async () => {
    const limit = { kind: 'status', status: 429, retry_after_seconds: 5, on: 'tags.list', times: 2 };
    expect(await plan(limit)).toMatchObject({
      status: 201,
      body: { fault: { id: 'fault-1', ...limit, after: 0, probability: 1, happened: 0 } },
    });
    await plan({ kind: 'stale_timestamp' });
    await plan({ kind: 'reset', on: 'mcp', times: null });
    await test.call('GET', '/api/workspaces/active/tags');
    expect((await test.call('GET', faults)).body).toMatchObject({
      faults: [
        { id: 'fault-1', kind: 'status', happened: 1 },
        { id: 'fault-2', kind: 'stale_timestamp', seconds: 600, happened: 0 },
        { id: 'fault-3', kind: 'reset', on: 'mcp', times: null, happened: 0 },
      ],
    });
  });

  it('takes back one, and all', async () => {
    await plan({ kind: 'hang' });
    await plan({ kind: 'drop' });
    await plan({ kind: 'cut' });
    expect(await test.call('DELETE', `${faults}/fault-2`)).toMatchObject({
      status: 200,
      body: { faults: [{ id: 'fault-1' }, { id: 'fault-3' }] },
    });
    expect(await test.call('DELETE', `${faults}/fault-2`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'No fault has this id; aftermeet sandbox faults list shows them.' },
    });
    expect(await test.call('DELETE', faults)).toMatchObject({ status: 200, body: { faults: [] } });
    expect((await test.call('GET', '/api/workspaces/active/tags')).status).toBe(200);
  });

  it('refuses what could never happen, and says what can', async () => {
    const { status, body } = await plan({ kind: 'reset', on: 'reports.got' });
    expect([status, body]).toEqual([
      400,
      {
        code: 'INVALID_REQUEST',
        message:
          'on: reset can happen on any, recordings.start, recordings.status, recordings.stop, recordings.cancel, uploads.chunk, reports.get, reports.generate, reports.editBlock, templates.list, exports.download, meetings.search, tags.list, tags.create, tags.attach, tags.detach, mcp.',
      },
    ]);
    expect((await plan({ kind: 'duplicate', on: 'tags.list' })).body).toMatchObject({
      message: 'on: duplicate can happen on any, deliveries.',
    });
  });

  it.each(['{"kind":', '[]', 'null', '""', '{"kind":["reset"]}', '{"kind":"reset","__proto__":{}}'])(
    'refuses %s',
    async (body) => {
      expect(await test.call('POST', faults, body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST' },
      });
      expect((await test.call('GET', faults)).body).toEqual({ faults: [] });
    },
  );
});

describe('faults of the service', () => {
  it('happen in front of the key and of every rule', async () => {
    await plan({ kind: 'status', status: 503, on: 'recordings.start', times: 2 });
    const noKey = { 'X-API-KEY': '' };
    expect(await test.call('POST', '/api/record-meeting', {}, noKey)).toMatchObject({
      status: 503,
      body: { code: 'SERVER_ERROR', message: 'A fault that was planned at /_sandbox/faults: 503.' },
    });
    expect((await test.call('POST', '/API/record-meeting/', { nonsense: true })).status).toBe(503);
    expect((await test.call('POST', '/api/record-meeting', { nonsense: true })).status).toBe(400);
  });

  it.each([
    [401, 'UNAUTHORIZED'],
    [402, 'PAYMENT_REQUIRED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [418, 'INVALID_REQUEST'],
    [429, 'RATE_LIMITED'],
    [599, 'SERVER_ERROR'],
  ])('%i says %s', async (status, code) => {
    await plan({ kind: 'status', status });
    expect(await test.call('GET', '/api/workspaces/active/tags')).toMatchObject({ status, body: { code } });
  });

  it('reach the MCP endpoint, and no other path of the sandbox', async () => {
    await plan({ kind: 'status', status: 429, times: null });
    expect((await test.call('POST', '/mcp', {})).status).toBe(429);
    expect((await test.call('GET', '/_sandbox/identity')).status).toBe(200);
    expect((await test.call('GET', '/api/nothing')).status).toBe(404);
  });
});

describe('a fault on a chunk of an upload', () => {
  let temporary: string;
  beforeEach(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'aftermeet-test-'));
    vi.stubEnv('TMPDIR', temporary);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(temporary, { recursive: true });
  });

  const bytes = Buffer.alloc(3_000_000, 'x');
  const body = makeChunkBody({ number: 0, total: 2, bytes, size: bytes.length }).toString('latin1');
  const lines = [
    'POST /api/video HTTP/1.1',
    'X-API-KEY: sandbox_key',
    `Content-Type: ${multipartType}`,
    `Content-Length: ${body.length}`,
  ];

  it.each(['reset', 'empty', 'garbage'] as const)('%s: leaves no file', async (kind) => {
    test.sandbox.faults.add({ kind });
    await askRaw(test.url, lines, body);
    expect(await readdir(temporary)).toEqual([]);
  });

  it.each(['cut', 'drop_after'] as const)('%s: the chunk is stored', async (kind) => {
    test.sandbox.faults.add({ kind });
    expect((await askRaw(test.url, lines, body)).bytes).not.toMatch(/\}$/);
    expect(test.sandbox.uploads()).toHaveLength(1);
  });

  it('latency: a client that disconnects meanwhile leaves no file', async () => {
    test.sandbox.faults.add({ kind: 'latency', ms: 5 });
    const { hostname, port } = new URL(test.url);
    const socket = connect(Number(port), hostname);
    socket.write([...lines, 'Host: x', '', body.slice(0, 1_000_000)].join('\r\n'));
    await vi.waitFor(() => {
      expect(test.sandbox.faults.list()).toMatchObject([{ happened: 1 }]);
    });
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await vi.waitFor(async () => {
      expect(
        (await readdir(temporary, { recursive: true })).filter((name) => name.endsWith('.part')),
      ).toEqual([]);
    });
    expect(test.sandbox.uploads()).toEqual([]);
  });
});
