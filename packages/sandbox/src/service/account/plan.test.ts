import { listOperations } from '@aftermeet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';
import { uploadWhole } from '../../testing/upload-whole.ts';

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox();
});

beforeEach(() => {
  house.sandbox.reset();
});

afterAll(() => house.sandbox.close());

const control = (method: string, path: string, body?: object) => house.call(method, `/_sandbox${path}`, body);
const record = (link: string) =>
  house.call('POST', '/api/record-meeting', { link: `https://meet.example/${link}` });

const upload = (content: string) => uploadWhole(house.url, content);

describe('the plan', () => {
  it('is business with minutes that nobody counts, until it is changed', async () => {
    expect((await control('GET', '/plan')).body).toEqual({ plan: 'business', minutes_left: null });
    expect((await control('POST', '/plan', { plan: 'pro', minutes_left: 30 })).body).toEqual({
      plan: 'pro',
      minutes_left: 30,
    });
    expect((await control('POST', '/plan', { plan: 'lite' })).body).toEqual({
      plan: 'lite',
      minutes_left: 30,
    });
    house.sandbox.reset();
    expect((await control('GET', '/plan')).body).toEqual({ plan: 'business', minutes_left: null });
  });

  it.each([
    [{}, 'plan'],
    [{ plan: 'gold' }, 'plan'],
    [{ plan: 'lite', minutes_left: -1 }, 'minutes_left'],
    [{ plan: 'lite', minutes_left: 1.5 }, 'minutes_left'],
    [{ plan: 'lite', minutesLeft: 1 }, 'The body'],
    [[], 'The body'],
  ])('is not %j', async (body, place) => {
    const answer = await control('POST', '/plan', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    expect((answer.body as { message: string }).message).toMatch(new RegExp(`^${place}: `));
  });

  it('is asked for by every operation and by the MCP endpoint', async () => {
    await control('POST', '/plan', { plan: 'none' });
    for (const { id, method, path } of listOperations()) {
      const answer = await house.call(
        method,
        path.replaceAll(/\{\w+\}/g, 'x'),
        method === 'GET' ? undefined : {},
      );
      expect(answer, id).toEqual({
        status: 403,
        type: 'application/json; charset=utf-8',
        body: {
          code: 'PLAN_REQUIRED',
          message: 'The workspace has no paid plan: the API needs Lite, Pro or Business.',
        },
      });
    }
    const mcp = await fetch(`${house.url}/mcp`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sandbox_key', 'Content-Type': 'application/json' },
      body: '{}',
    });
    await mcp.body?.cancel();
    expect(mcp.status).toBe(403);
    expect(await house.call('GET', '/api/nothing')).toMatchObject({ status: 404 });
  });
});

describe('minutes that are used up', () => {
  it('end recordings and uploads with 402, and nothing else', async () => {
    const meetingId = await house.holdMeeting();
    expect((await upload('known before')).status).toBe(200);
    await control('POST', '/plan', { plan: 'lite', minutes_left: 0 });
    const refusal = { status: 402, body: { code: 'MINUTES_USED_UP' } };
    expect(await record('a')).toMatchObject(refusal);
    expect(await upload('some bytes')).toMatchObject(refusal);
    expect((await house.call('GET', `/api/video/report?meeting_id=${meetingId}`)).status).toBe(200);
    // It becomes no new meeting.
    expect(await upload('known before')).toMatchObject({ status: 200, body: { duplicate: true } });
    await control('POST', '/plan', { plan: 'lite', minutes_left: 1 });
    expect((await record('a')).status).toBe(200);
    expect((await upload('some bytes')).status).toBe(200);
  });

  it('are those of completed meetings, rounded up, and never below none', async () => {
    const minutesLeft = async () =>
      ((await control('GET', '/plan')).body as { minutes_left: number }).minutes_left;
    await control('POST', '/plan', { plan: 'lite', minutes_left: 100 });
    const meetingId = await house.holdMeeting();
    const { body } = await house.call('GET', `/api/video/report?meeting_id=${meetingId}`);
    const { duration } = (body as { followup_v2: { duration: number } }).followup_v2;
    const minutes = Math.ceil(duration / 60);
    expect([minutes > 0, await minutesLeft()]).toEqual([true, 100 - minutes]);
    // Told again or processed again, it is not held again.
    house.sandbox.completeMeeting(meetingId);
    house.sandbox.failMeeting(meetingId);
    house.sandbox.completeMeeting(meetingId);
    expect(await minutesLeft()).toBe(100 - minutes);
    const { body: failed } = await record('fails');
    house.sandbox.failMeeting((failed as { meeting_id: string }).meeting_id);
    const { body: silent } = await record('silent');
    house.sandbox.completeMeeting((silent as { meeting_id: string }).meeting_id, { isTranscriptEmpty: true });
    expect(await minutesLeft()).toBe(100 - minutes);
    await control('POST', '/plan', { plan: 'lite', minutes_left: 1 });
    await house.holdMeeting();
    expect(await minutesLeft()).toBe(0);
  });
});
