// A test of your own code against the sandbox: no key, no network, and time passes when the test says so.
// #region test
import { createClient } from '@aftermeet/client';
import { createSandbox } from '@aftermeet/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

const sandbox = createSandbox({ seed: 1 });
let baseUrl = '';
beforeAll(async () => {
  baseUrl = (await sandbox.listen()).url;
});
afterAll(() => sandbox.close());

it('reads the tasks of a meeting that has just ended', async () => {
  const client = createClient({ baseUrl, apiKey: sandbox.key() });
  const { meetingId } = await client.recordings.start({ link: 'https://meet.example/abc' });
  sandbox.completeMeeting(meetingId);
  const answer = await client.reports.get(meetingId);
  expect(answer.ready && answer.report.tasks.length).toBeGreaterThan(0);
});

it('meets a service that fails twice, and goes on', async () => {
  sandbox.faults.add({ kind: 'status', status: 503, times: 2 });
  const client = createClient({ baseUrl, apiKey: sandbox.key(), wait: async () => {} });
  expect((await client.templates.list()).items).toBeInstanceOf(Array);
});
// #endregion
