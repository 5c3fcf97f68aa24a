import { describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { describeStatus } from './meeting-status.ts';

type Step = string | number | Error;

const refused = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
});

/** Waits for a meeting of a service that answers one step after the other; no time passes. */
function wait(steps: readonly Step[], words: readonly string[] = [], context: Partial<Context> = {}) {
  const rest = [...steps];
  return runAftermeet(['status', 'm_1', '--wait', ...words], {
    environment: { SERVICE_BASE_URL: 'http://127.0.0.1:9', SERVICE_API_KEY: 'key_0123456789' },
    clock: () => Date.UTC(2026, 10, 21),
    client: {
      wait: async () => {},
      fetch: async () => {
        const step = rest.shift() ?? 'new';
        if (step instanceof Error) throw step;
        return typeof step === 'string' ? new Response(step) : new Response('', { status: step });
      },
    },
    ...context,
  });
}

describe('a wait while the service is away', () => {
  it('says so once, and again only after an answer', async () => {
    expect(await wait([refused, refused, 503, 'processing', refused, 'new'])).toEqual({
      code: 0,
      stdout: 'ready (the service says: new)\n',
      stderr:
        "The service can't be reached (ECONNREFUSED); asking again.\n" +
        "The service can't be reached (ECONNREFUSED); asking again.\n",
    });
    expect((await wait(['processing', 503, refused])).stderr).toBe(
      'The service failed (503); asking again.\n',
    );
  });

  it('says nothing with --json', async () => {
    const { code, stderr } = await wait([refused, 'new'], ['--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('says it above the line of progress', async () => {
    const { stderr } = await wait([refused, 'queued', 'new'], [], {
      isErrorTerminal: true,
      columns: () => 80,
    });
    expect(stderr).toContain(
      "\r\u001B[KThe service can't be reached (ECONNREFUSED); asking again.\n\r\u001B[K| asking  0 s",
    );
    expect(stderr).toContain('\r\u001B[K| planned, or waiting to be processed  0 s');
    expect(stderr.endsWith('\r\u001B[K')).toBe(true);
  });
});

describe('describeStatus', () => {
  it.each([
    ['failed', 'failed', 'failed'],
    ['ready', 'new', 'ready (the service says: new)'],
    ['unknown', 'Odd\u001B[31m', 'unknown (the service says: Odd)'],
    ['processing', 'queued', 'planned, or waiting to be processed (the service says: queued)'],
    ['processing', 'QUEUED', 'planned, or waiting to be processed (the service says: QUEUED)'],
    ['processing', 'uploaded', 'processing (the service says: uploaded)'],
  ] as const)('of %s and %s is %s', (phase, status, text) => {
    expect(describeStatus({ phase, status })).toBe(text);
  });
});
