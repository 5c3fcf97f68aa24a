import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox({ knobs: { searchPageSize: 5 } });
});

afterAll(() => house.sandbox.close());

beforeEach(() => {
  house.sandbox.reset();
});

const faults = async (): Promise<unknown> => (await house.call('GET', '/_sandbox/faults')).body;

/** As a browser sends a form. */
async function submit(path: string, fields: Record<string, string> = {}) {
  const response = await fetch(`${house.url}/_sandbox${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    redirect: 'manual',
  });
  return {
    status: response.status,
    location: response.headers.get('location'),
    page: await response.text(),
    response,
  };
}

const back = { status: 303, location: '/_sandbox' };

describe('a common fault', () => {
  it('is planned from text fields', async () => {
    expect(await submit('/faults/common', { fault: 'too_many', on: 'tags.list', times: '2' })).toMatchObject(
      back,
    );
    expect(await submit('/faults/common', { fault: 'stale_timestamp', times: '' })).toMatchObject(back);
    expect(await faults()).toEqual({
      faults: [
        {
          id: 'fault-1',
          kind: 'status',
          status: 429,
          retry_after_seconds: 5,
          on: 'tags.list',
          times: 2,
          after: 0,
          probability: 1,
          happened: 0,
        },
        {
          id: 'fault-2',
          kind: 'stale_timestamp',
          seconds: 600,
          on: 'any',
          times: null,
          after: 0,
          probability: 1,
          happened: 0,
        },
      ],
    });
  });

  it('is planned by a program too', async () => {
    expect(await house.call('POST', '/_sandbox/faults/common', { fault: 'hang', times: null })).toMatchObject(
      {
        status: 200,
        body: { id: 'fault-1' },
      },
    );
    expect(await faults()).toMatchObject({ faults: [{ kind: 'hang', on: 'any', times: null }] });
  });

  it.each([
    [{}, 'fault: '],
    [
      { fault: 'explode' },
      'fault: must be one of late, too_many, server_error, unavailable, reset, empty, garbage, hang, drop_after, cut, drip, duplicate, reorder, bad_signature, stale_timestamp, drop.',
    ],
    [{ fault: 'toString' }, 'fault: must be one of '],
    [{ fault: 'reset', on: 'nothing' }, 'on: reset can happen on any, recordings.start, '],
    [{ fault: 'drop', on: 'tags.list' }, 'on: drop can happen on any, deliveries.'],
    [{ fault: 'reset', times: 'often' }, 'times: must be a whole number, or empty'],
    [{ fault: 'reset', times: '1.5' }, 'times: '],
    [{ fault: 'reset', times: '0' }, 'times: '],
    [{ fault: 'reset', kind: 'hang' }, 'kind'],
  ])('%j is refused', async (fields, message) => {
    expect(await house.call('POST', '/_sandbox/faults/common', fields)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: expect.stringContaining(message) as string },
    });
    expect(await faults()).toEqual({ faults: [] });
  });
});

describe('planned faults', () => {
  beforeEach(() => {
    house.sandbox.callFaults.add({ kind: 'hang' });
    house.sandbox.deliveryFaults.add({ kind: 'drop' });
    house.sandbox.callFaults.add({ kind: 'cut' });
  });

  it('are taken back one by one', async () => {
    expect(await submit('/faults/fault-2/remove')).toMatchObject(back);
    expect(await submit('/faults/fault-1/remove')).toMatchObject(back);
    expect(await faults()).toMatchObject({ faults: [{ id: 'fault-3' }] });
    expect(await house.call('POST', '/_sandbox/faults/fault-1/remove')).toEqual({
      status: 404,
      type: 'application/json; charset=utf-8',
      body: { code: 'NOT_FOUND', message: 'No fault has this id; it may have been taken back already.' },
    });
  });

  it('are taken back all at once', async () => {
    expect(await submit('/faults/clear')).toMatchObject(back);
    expect(await faults()).toEqual({ faults: [] });
  });
});

it('knobs are turned back to how the sandbox was started', async () => {
  house.sandbox.knobs.turn({ searchPageSize: 7, tagPageSize: 9 });
  expect(await submit('/knobs/reset')).toMatchObject(back);
  expect(house.sandbox.knobs.read()).toMatchObject({ searchPageSize: 5, tagPageSize: 100 });
});

describe('a form that is refused', () => {
  it('shows a person what is wrong, and the way back', async () => {
    const { status, page, response } = await submit('/clock', { advance_seconds: '<b>' });
    expect(status).toBe(400);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    expect(page).toContain('<p class="callout">advance_seconds: must be a number.</p>');
    expect(page).toContain('<a class="button" href="/_sandbox">Back to the sandbox</a>');
    const unknown = await submit('/deliveries/%3Cscript%3E/redeliver');
    expect(unknown.status).toBe(404);
    expect(unknown.page).toContain('No delivery has this id; GET /_sandbox/deliveries lists them.');
    expect(unknown.page).not.toContain('<script');
  });

  it('keeps text of its sender text', async () => {
    const { page } = await submit('/faults/common', { fault: 'reset', '<script>': '1' });
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('<script');
  });

  it('is JSON for a program', async () => {
    const response = await fetch(`${house.url}/_sandbox/faults/common`, {
      method: 'POST',
      body: new URLSearchParams({ fault: 'explode' }),
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: 'INVALID_REQUEST', message: expect.stringContaining('fault: must be one of late') as string },
    ]);
  });
});
