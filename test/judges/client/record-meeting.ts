import assert from 'node:assert/strict';

import type { ServiceClient } from './open-client.ts';

const link = 'https://meet.example/planning';

/** Records a meeting to its end; resolves with its id. Schedules another one and cancels it. */
export async function recordMeeting(
  client: ServiceClient,
  complete: (id: string) => unknown,
): Promise<string> {
  const started = await client.POST('/api/record-meeting', {
    body: { link, title: 'Planning', source: 'gmeet', participants: 'ann@example.com,bob@example.org' },
  });
  assert.equal(started.response.status, 200);
  const meetingId = readMeetingId(started.data);
  const query = { meeting_id: meetingId };

  assert.equal(await readStatus(client, meetingId), 'recording');
  const early = await client.GET('/api/video/report', { params: { query }, parseAs: 'text' });
  assert.equal(early.response.status, 202);
  assert.match(String(early.data), /recording/);
  await refuseWithoutReport(client, meetingId);

  const stopped = await client.POST('/api/stop-recording', { body: query, parseAs: 'text' });
  assert.equal(stopped.response.status, 200);
  assert.equal(await readStatus(client, meetingId), 'processing');
  complete(meetingId);
  assert.equal(await readStatus(client, meetingId), 'new');

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const planned = await client.POST('/api/record-meeting', { body: { link, local_date_time: tomorrow } });
  const params = { query: { meeting_id: readMeetingId(planned.data) } };
  const cancelled = await client.DELETE('/api/record-meeting', { params, parseAs: 'text' });
  assert.equal(cancelled.response.status, 200);
  const gone = await client.GET('/api/meeting/status', { params });
  assert.equal(gone.response.status, 404);

  const refused = await client.POST('/api/record-meeting', { body: { link: 'nowhere' } });
  assert.equal(refused.response.status, 400);
  return meetingId;
}

/** What needs a report is a conflict until there is one. */
async function refuseWithoutReport(client: ServiceClient, meetingId: string): Promise<void> {
  const query = { meeting_id: meetingId, format: 'md' } as const;
  const exported = await client.GET('/api/storage/download', { params: { query }, parseAs: 'text' });
  assert.equal(exported.response.status, 409);
  const body = { meeting_id: meetingId, template_name: 'daily' };
  const generated = await client.POST('/api/generate-new-template', { body });
  assert.equal(generated.response.status, 409);
  const edited = await client.PUT('/api/meeting/{meeting_id}/summary', {
    params: { path: { meeting_id: meetingId } },
    body: { templateId: 'none', entityName: 'summary', newSummaryText: '' },
  });
  assert.equal(edited.response.status, 409);
}

async function readStatus(client: ServiceClient, meetingId: string): Promise<string | undefined> {
  const params = { query: { meeting_id: meetingId } };
  const { data } = await client.GET('/api/meeting/status', { params, parseAs: 'text' });
  return data;
}

/** The document does not know this answer's shape, so its type is `unknown`. */
function readMeetingId(answer: unknown): string {
  assert.ok(typeof answer === 'object' && answer !== null && 'meeting_id' in answer);
  assert.equal(typeof answer.meeting_id, 'string');
  return String(answer.meeting_id);
}
