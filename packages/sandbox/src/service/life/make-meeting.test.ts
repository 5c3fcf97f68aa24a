import { expect, it } from 'vitest';

import { startLivingSandbox } from '../../testing/start-living-sandbox.ts';

it('gives recordings the hand-written meetings in turn, whatever else comes and goes', async () => {
  const house = await startLivingSandbox();
  const listed = async (): Promise<readonly unknown[]> => {
    const { body } = await house.call('GET', '/_sandbox/meetings');
    return (body as { meetings: { script: string }[] }).meetings.map(({ script }) => script);
  };
  await house.record();
  const planned = await house.record({ local_date_time: '2026-07-08T09:00:00Z' });
  await house.call('DELETE', `/api/record-meeting?meeting_id=${planned}`);
  await house.record({ link: 'https://meet.example/b' });
  expect(await listed()).toEqual(['launch-review', 'launch-review']);
  house.sandbox.seed({ meetings: 1, languages: ['en'] });
  await house.record({ link: 'https://meet.example/c' });
  expect((await listed()).at(-1)).toBe('warehouse-sync');
  house.sandbox.reset();
  await house.record();
  expect(await listed()).toEqual(['launch-review']);
});

it('holds the sample meeting that is named when it is completed, in the library only', async () => {
  const house = await startLivingSandbox();
  const meetingId = await house.record();
  house.sandbox.completeMeeting(meetingId, { scriptId: 'long/300/1' });
  const { body } = await house.call('GET', `/api/video/report?meeting_id=${meetingId}`);
  const { followup_v2: report } = body as {
    followup_v2: { name: string; chapters: { transcript: unknown[] }[] };
  };
  expect(report.name).toBe('Planning day');
  expect(report.chapters.flatMap(({ transcript }) => transcript)).toHaveLength(300);
  expect(() => house.sandbox.completeMeeting(meetingId, { scriptId: 'long/10001/1' })).toThrow(
    'There is no sample meeting long/10001/1',
  );
  const answer = await house.call('POST', `/_sandbox/meetings/${meetingId}/complete`, { script: 'long/1/1' });
  expect(answer.status).toBe(400);
});
