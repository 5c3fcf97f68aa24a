import { listOperations } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { useTestSandbox } from './testing/sandbox.ts';
import { uploadWhole } from './testing/uploads.ts';

const service = useTestSandbox();

const control = (method: string, path: string, body?: object) =>
  service.call(method, `/_sandbox${path}`, body);

/** The statuses of an operation and of the MCP endpoint. */
async function ask(key: string): Promise<readonly number[]> {
  const headers = { 'X-API-KEY': key, Authorization: `Bearer ${key}` };
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const accept = { ...headers, Accept: 'application/json, text/event-stream' };
  const api = await service.call('GET', '/api/v2/workspaces/active/custom-templates', undefined, headers);
  return [api.status, (await service.call('POST', '/mcp', listing, accept)).status];
}

describe('a new key', () => {
  it('makes the old one invalid at once, for the MCP endpoint as well', async () => {
    expect(await ask('sandbox_key')).toEqual([200, 200]);
    const { status, body } = await control('POST', '/key');
    const { key } = body as { key: string };
    expect([status, key]).toEqual([200, expect.stringMatching(/^sandbox_[0-9a-f]{32}$/)]);
    expect([await ask('sandbox_key'), await ask(key)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
  });

  it('may be named, and is forgotten on a reset', async () => {
    expect((await control('POST', '/key', { key: 'mine' })).body).toEqual({ key: 'mine' });
    expect((await ask('mine'))[0]).toBe(200);
    service.sandbox.reset();
    expect([(await ask('mine'))[0], (await ask('sandbox_key'))[0]]).toEqual([401, 200]);
  });

  it.each(['', 'with blank', 'ключ', 'a\r\nb', 'x'.repeat(201), 7, null])('is not %j', async (key) => {
    const message = expect.stringMatching(/^(?:The key|key:) must be /) as string;
    expect(await control('POST', '/key', { key })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message },
    });
    expect((await ask('sandbox_key'))[0]).toBe(200);
  });

  it('is in no control answer', async () => {
    const key = service.sandbox.changeKey('a_key_of_mine');
    for (const path of ['', '/options', '/plan', '/meetings', '/clock']) {
      const response = await fetch(`${service.url}/_sandbox${path}`);
      expect(await response.text()).not.toContain(key);
    }
  });
});

describe('the plan', () => {
  it('is business with minutes that are not counted, until it is changed', async () => {
    const first = { plan: 'business', minutes_left: null };
    expect((await control('GET', '/plan')).body).toEqual(first);
    const pro = { plan: 'pro', minutes_left: 30 };
    expect((await control('POST', '/plan', pro)).body).toEqual(pro);
    expect((await control('POST', '/plan', { plan: 'lite' })).body).toEqual({ ...pro, plan: 'lite' });
    service.sandbox.reset();
    expect((await control('GET', '/plan')).body).toEqual(first);
  });

  it.each([
    [{ plan: 'gold' }, 'plan'],
    [{ plan: 'lite', minutes_left: -1 }, 'minutes_left'],
    [{ plan: 'lite', minutes_left: 1.5 }, 'minutes_left'],
    [{ plan: 'lite', minutesLeft: 1 }, 'The body'],
    [[], 'The body'],
  ])('is not %j', async (body, place) => {
    const message = expect.stringMatching(new RegExp(`^${place}: `)) as string;
    expect(await control('POST', '/plan', body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message },
    });
  });

  it('is asked for by every operation and by the MCP endpoint', async () => {
    await control('POST', '/plan', { plan: 'none' });
    for (const { id, method, path } of listOperations()) {
      const address = path.replaceAll(/\{\w+\}/g, 'x');
      expect(await service.call(method, address, method === 'GET' ? undefined : {}), id).toMatchObject({
        status: 403,
        body: {
          code: 'PLAN_REQUIRED',
          message: 'The workspace has no paid plan: the API needs Lite, Pro or Business.',
        },
      });
    }
    expect(await ask('sandbox_key')).toEqual([403, 403]);
    expect(await service.call('GET', '/api/nothing')).toMatchObject({ status: 404 });
  });
});

describe('minutes', () => {
  const setMinutes = (minutes: number) => control('POST', '/plan', { plan: 'lite', minutes_left: minutes });
  const upload = (content: string) => uploadWhole(service.url, content);
  const record = (link: string) =>
    service.call('POST', '/api/record-meeting', { link: `https://meet.example/${link}` });

  it('that are used up end recordings and uploads with 402, and nothing else', async () => {
    const meetingId = await service.holdMeeting();
    expect((await upload('known before')).status).toBe(200);
    await setMinutes(0);
    const refusal = { status: 402, body: { code: 'MINUTES_USED_UP' } };
    expect(await record('a')).toMatchObject(refusal);
    expect(await upload('some bytes')).toMatchObject(refusal);
    expect((await service.readReport(meetingId)).status).toBe(200);
    // It becomes no new meeting.
    expect(await upload('known before')).toMatchObject({ status: 200, body: { duplicate: true } });
    await setMinutes(1);
    expect([(await record('a')).status, (await upload('some bytes')).status]).toEqual([200, 200]);
  });

  it('are those of completed meetings, rounded up, and never below none', async () => {
    const minutesLeft = async () =>
      ((await control('GET', '/plan')).body as { minutes_left: number }).minutes_left;
    await setMinutes(100);
    // 140 seconds are spoken.
    const meetingId = await service.holdMeeting();
    expect(await minutesLeft()).toBe(97);
    // A meeting uses its minutes once, however often it is completed.
    service.sandbox.completeMeeting(meetingId);
    service.sandbox.failMeeting(meetingId);
    service.sandbox.completeMeeting(meetingId);
    service.sandbox.failMeeting(await service.record());
    service.sandbox.completeMeeting(await service.record(), { isTranscriptEmpty: true });
    expect(await minutesLeft()).toBe(97);
    await setMinutes(1);
    await service.holdMeeting();
    expect(await minutesLeft()).toBe(0);
  });
});
