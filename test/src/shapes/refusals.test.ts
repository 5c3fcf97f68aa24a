import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type ShapeHouse, startShapeHouse } from './shape-house.ts';

let house: ShapeHouse;

beforeAll(async () => {
  house = await startShapeHouse();
});

afterEach(() => {
  house.sandbox.reset();
});

afterAll(() => house.close());

describe.each(['json', 'nested', 'text'] as const)('an error as %s', (errorShape) => {
  it.each([{}, { errorCodes: { MEETING_NOT_FOUND: 'E7' }, extraFields: true }])(
    'says what is not there, with %j',
    async (knobs) => {
      house.sandbox.knobs.turn({ errorShape, ...knobs });
      await expect(house.client.recordings.status('nobody')).rejects.toMatchObject({
        code: 'not_found',
        status: 404,
        detail: 'No meeting has this meeting_id.',
      });
    },
  );

  it('says what is there already, and what is too long', async () => {
    house.sandbox.knobs.turn({ errorShape, maxBodyBytes: 1000, extraFields: true });
    await house.client.tags.create({ name: 'Sales' });
    await expect(house.client.tags.create({ name: 'sales' })).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
      detail: 'A tag of the workspace has this name already.',
    });
    await expect(
      house.client.recordings.start({ link: 'https://meet.example/x', title: 'x'.repeat(1000) }),
    ).rejects.toMatchObject({
      code: 'unexpected_status',
      status: 413,
      detail: 'The body must be at most 1000 bytes of JSON.',
    });
  });

  it('says that the key has expired or was replaced', async () => {
    house.sandbox.knobs.turn({ errorShape, keyLifetimeSeconds: 60 });
    house.sandbox.clock.advance(60_000);
    await expect(house.client.tags.list()).rejects.toMatchObject({
      code: 'unauthorized',
      detail: expect.stringContaining('expired') as string,
    });
    house.sandbox.changeKey();
    await expect(house.client.tags.list()).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it('says how long to wait', async () => {
    house.sandbox.knobs.turn({ errorShape, rateLimit: { requests: 1, perSeconds: 90 } });
    await house.client.tags.list();
    await expect(house.client.tags.list()).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 90_000,
      detail: 'Too many requests: wait 90 s.',
    });
  });

  it('says that the workspace has no plan, or no minutes left', async () => {
    house.sandbox.knobs.turn({ errorShape });
    const bytes = Buffer.from(`minutes ${errorShape}`);
    await house.steer('/plan', { plan: 'none' });
    await expect(house.client.tags.list()).rejects.toMatchObject({
      code: 'forbidden',
      detail: 'The workspace has no paid plan: the API needs Lite, Pro or Business.',
    });
    await expect(house.client.mcp.listTools()).rejects.toMatchObject({ code: 'forbidden' });
    await house.steer('/plan', { plan: 'lite', minutes_left: 0 });
    const refusal = {
      code: 'payment_required',
      status: 402,
      message: expect.stringContaining('minutes') as string,
    };
    await expect(house.hold()).rejects.toMatchObject(refusal);
    await expect(house.client.uploads.send({ bytes, filename: 'a.mp3' })).rejects.toMatchObject(refusal);
    expect(await house.client.tags.list()).toEqual([]);
  });

  it('says that the interface has ended', async () => {
    const sunset = new Date(house.sandbox.clock.now() + 86_400_000).toISOString();
    const deprecation = { since: '2026-01-01T00:00:00Z', sunset };
    house.sandbox.knobs.turn({ errorShape, deprecation });
    expect(await house.client.tags.list()).toEqual([]);
    house.sandbox.clock.advance(86_400_000);
    await expect(house.client.tags.list()).rejects.toMatchObject({
      code: 'unexpected_status',
      status: 410,
      detail: 'This version of the interface has ended.',
    });
  });
});
