import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox();
});

afterAll(() => house.sandbox.close());

beforeEach(() => {
  house.sandbox.reset();
});

const record = (body?: object) => house.call('POST', '/_sandbox/meetings', body);
const listMeetings = async () =>
  (await house.call('GET', '/_sandbox/meetings')).body as { meetings: object[] };

it('records as the operation does', async () => {
  const fields = { link: 'https://zoom.us/j/1', title: 'Plans', cron: '0 9 * * 1' };
  expect(await record(fields)).toMatchObject({
    status: 200,
    body: { meeting_id: expect.any(String) as string, status: 'queued', title: 'Plans', source: 'zoom' },
  });
  expect(await listMeetings()).toMatchObject({ meetings: [{ title: 'Plans', cron: '0 9 * * 1' }] });
});

it('makes up a link each time, and leaves out what is empty', async () => {
  expect((await record()).status).toBe(200);
  expect((await record({ link: '', title: '', webhook_url: '', webhook_secret: '' })).status).toBe(200);
  expect(await listMeetings()).toMatchObject({
    meetings: [{ title: 'Launch review: shared calendars' }, { status: 'recording', source: 'gmeet' }],
  });
});

it('leads a form back to the page', async () => {
  const response = await fetch(`${house.url}/_sandbox/meetings`, {
    method: 'POST',
    body: new URLSearchParams({ title: 'Plans', link: '', cron: '', webhook_url: '', webhook_secret: '' }),
    redirect: 'manual',
  });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/_sandbox']);
  expect(await listMeetings()).toMatchObject({ meetings: [{ title: 'Plans' }] });
});

describe('is refused', () => {
  it.each([
    [{ link: 'javascript:alert(1)' }, 'link must be a web address'],
    [{ cron: 'soon' }, 'cron must be a cron expression'],
    [{ cron: '0 9 31 2 *' }, 'cron '],
    [{ webhook_secret: 'short' }, 'webhook_secret must be'],
    [{ title: 7 }, 'title '],
    [{ more: 1 }, 'more is not a field of recordings.start.'],
    [[], 'The body'],
  ])('%j', async (body, message) => {
    expect(await record(body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: expect.stringContaining(message) as string },
    });
    expect(await listMeetings()).toEqual({ meetings: [] });
  });

  it('where the link is being recorded already', async () => {
    await record({ link: 'https://zoom.us/j/1' });
    expect(await record({ link: 'https://zoom.us/j/1' })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SCHEDULED' },
    });
  });
});
