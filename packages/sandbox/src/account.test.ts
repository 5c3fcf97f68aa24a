import { listOperations } from '@aftermeet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from './testing/sandbox.ts';
import { uploadWhole } from './testing/uploads.ts';

describe('the key', () => {
  const wrongKey = 'The API key is not valid: it is another one, or a new one has replaced it.';
  const templatesPath = '/api/v2/workspaces/active/custom-templates';

  let service: TestSandbox;

  beforeAll(async () => {
    service = await startTestSandbox();
  });

  beforeEach(() => {
    service.sandbox.reset();
  });

  afterAll(() => service.sandbox.close());

  const control = (method: string, path: string, body?: object) =>
    service.call(method, `/_sandbox${path}`, body);

  async function ask(key: string | undefined, path = templatesPath) {
    const response = await fetch(
      service.url + path,
      key === undefined ? {} : { headers: { 'X-API-KEY': key } },
    );
    return { status: response.status, body: (await response.json()) as unknown };
  }

  async function askMcp(key: string): Promise<{ status: number; text: string }> {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    return { status: response.status, text: await response.text() };
  }

  describe('a new key', () => {
    it('makes the old one invalid at once, for the MCP endpoint as well', async () => {
      expect((await askMcp('sandbox_key')).status).toBe(200);
      const { status, body } = await control('POST', '/key');
      expect(status).toBe(200);
      const { key } = body as { key: string };
      expect(key).toMatch(/^sandbox_[0-9a-f]{32}$/);
      expect(await ask('sandbox_key')).toEqual({
        status: 401,
        body: { code: 'UNAUTHORIZED', message: wrongKey },
      });
      expect((await askMcp('sandbox_key')).status).toBe(401);
      expect((await ask(key)).status).toBe(200);
      expect((await askMcp(key)).status).toBe(200);
    });

    it('may be named, and is forgotten on a reset', async () => {
      expect((await control('POST', '/key', { key: 'mine' })).body).toEqual({ key: 'mine' });
      expect((await ask('mine')).status).toBe(200);
      service.sandbox.reset();
      expect((await ask('mine')).status).toBe(401);
      expect((await ask('sandbox_key')).status).toBe(200);
    });

    it.each(['', 'with blank', 'ключ', 'a\r\nb', 'x'.repeat(201), 7, null])('is not %j', async (key) => {
      expect(await control('POST', '/key', { key })).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_REQUEST',
          message: expect.stringMatching(/^(?:The key|key:) must be /) as string,
        },
      });
      expect((await ask('sandbox_key')).status).toBe(200);
    });

    it('is in no control answer', async () => {
      const key = service.sandbox.changeKey('a_key_of_mine');
      const texts = await Promise.all(
        ['', '/options', '/plan', '/meetings', '/clock'].map(async (path) => {
          const response = await fetch(`${service.url}/_sandbox${path}`);
          return response.text();
        }),
      );
      expect(texts.join('')).not.toContain(key);
      service.sandbox.reset();
    });
  });
});

describe('the plan', () => {
  let service: TestSandbox;

  beforeAll(async () => {
    service = await startTestSandbox();
  });

  beforeEach(() => {
    service.sandbox.reset();
  });

  afterAll(() => service.sandbox.close());

  const control = (method: string, path: string, body?: object) =>
    service.call(method, `/_sandbox${path}`, body);
  const record = (link: string) =>
    service.call('POST', '/api/record-meeting', { link: `https://meet.example/${link}` });

  const upload = (content: string) => uploadWhole(service.url, content);

  describe('the plan', () => {
    it('is business with minutes that are not counted, until it is changed', async () => {
      expect((await control('GET', '/plan')).body).toEqual({ plan: 'business', minutes_left: null });
      expect((await control('POST', '/plan', { plan: 'pro', minutes_left: 30 })).body).toEqual({
        plan: 'pro',
        minutes_left: 30,
      });
      expect((await control('POST', '/plan', { plan: 'lite' })).body).toEqual({
        plan: 'lite',
        minutes_left: 30,
      });
      service.sandbox.reset();
      expect((await control('GET', '/plan')).body).toEqual({ plan: 'business', minutes_left: null });
    });

    it.each([
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
        const answer = await service.call(
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
      const mcp = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { Authorization: 'Bearer sandbox_key', 'Content-Type': 'application/json' },
        body: '{}',
      });
      await mcp.body?.cancel();
      expect(mcp.status).toBe(403);
      expect(await service.call('GET', '/api/nothing')).toMatchObject({ status: 404 });
    });
  });

  describe('minutes that are used up', () => {
    it('end recordings and uploads with 402, and nothing else', async () => {
      const meetingId = await service.holdMeeting();
      expect((await upload('known before')).status).toBe(200);
      await control('POST', '/plan', { plan: 'lite', minutes_left: 0 });
      const refusal = { status: 402, body: { code: 'MINUTES_USED_UP' } };
      expect(await record('a')).toMatchObject(refusal);
      expect(await upload('some bytes')).toMatchObject(refusal);
      expect((await service.call('GET', `/api/video/report?meeting_id=${meetingId}`)).status).toBe(200);
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
      const meetingId = await service.holdMeeting();
      const { body } = await service.call('GET', `/api/video/report?meeting_id=${meetingId}`);
      const { duration } = (body as { followup_v2: { duration: number } }).followup_v2;
      const minutes = Math.ceil(duration / 60);
      expect([minutes > 0, await minutesLeft()]).toEqual([true, 100 - minutes]);
      // A meeting uses its minutes once, however often it is completed.
      service.sandbox.completeMeeting(meetingId);
      service.sandbox.failMeeting(meetingId);
      service.sandbox.completeMeeting(meetingId);
      expect(await minutesLeft()).toBe(100 - minutes);
      const { body: failed } = await record('fails');
      service.sandbox.failMeeting((failed as { meeting_id: string }).meeting_id);
      const { body: silent } = await record('silent');
      service.sandbox.completeMeeting((silent as { meeting_id: string }).meeting_id, {
        isTranscriptEmpty: true,
      });
      expect(await minutesLeft()).toBe(100 - minutes);
      await control('POST', '/plan', { plan: 'lite', minutes_left: 1 });
      await service.holdMeeting();
      expect(await minutesLeft()).toBe(0);
    });
  });
});
