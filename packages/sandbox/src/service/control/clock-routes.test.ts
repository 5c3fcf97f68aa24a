import { afterEach, beforeEach, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';

let house: TestSandbox;

beforeEach(async () => {
  house = await startTestSandbox({ transitions: { polls: 3 }, timeScale: 2 });
});

afterEach(() => house.sandbox.close());

const change = (body?: object) => house.call('POST', '/_sandbox/clock', body);

it('tells the sandbox’s time and how it passes', async () => {
  expect(await house.call('GET', '/_sandbox/clock')).toMatchObject({
    status: 200,
    body: { now: '2026-07-07T12:00:00.000Z', time_scale: 2, frozen: false, transitions: { polls: 3 } },
  });
});

it('moves it on and changes how it passes', async () => {
  expect(await change({ advance_seconds: 90.5 })).toMatchObject({
    status: 200,
    body: { now: '2026-07-07T12:01:30.500Z', time_scale: 2, frozen: false },
  });
  expect(await change({ frozen: true, time_scale: 0.5 })).toMatchObject({
    body: { now: '2026-07-07T12:01:30.500Z', time_scale: 0.5, frozen: true },
  });
  expect(await change()).toMatchObject({ status: 200, body: { time_scale: 0.5, frozen: true } });
});

it('goes back to scale and motion of the start when the sandbox is reset, not back in time', async () => {
  await change({ advance_seconds: 3600, time_scale: 60, frozen: true });
  await house.call('POST', '/_sandbox/reset');
  expect((await house.call('GET', '/_sandbox/clock')).body).toMatchObject({
    now: '2026-07-07T13:00:00.000Z',
    time_scale: 2,
    frozen: false,
  });
});

it.each([
  [{ advance_seconds: -1 }, 'advance_seconds'],
  [{ advance_seconds: 31_622_401 }, 'advance_seconds'],
  [{ advance_seconds: '1e9' }, 'advance_seconds'],
  [{ advance_seconds: null }, 'advance_seconds'],
  [{ time_scale: 0 }, 'time_scale'],
  [{ time_scale: 1e300 }, 'time_scale'],
  [{ time_scale: [] }, 'time_scale'],
  [{ frozen: 'yes' }, 'frozen'],
  [{ frozen: 1, advance_seconds: 60 }, 'frozen'],
  [{ now: '2030-01-01T00:00:00Z' }, 'now'],
  [[], 'The body'],
])('refuses %j and changes nothing', async (body, named) => {
  expect(await change(body)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST', message: expect.stringContaining(named) as string },
  });
  expect(house.sandbox.clock.describe()).toEqual({
    nowMs: Date.parse('2026-07-07T12:00:00Z'),
    timeScale: 2,
    isFrozen: false,
  });
});

it('takes the text of a form, and leads back to the page', async () => {
  const response = await fetch(`${house.url}/_sandbox/clock`, {
    method: 'POST',
    body: new URLSearchParams({ advance_seconds: '60', frozen: 'true' }),
    redirect: 'manual',
  });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/_sandbox']);
  expect(house.sandbox.clock.describe()).toMatchObject({
    nowMs: Date.parse('2026-07-07T12:01:00Z'),
    isFrozen: true,
  });
});
