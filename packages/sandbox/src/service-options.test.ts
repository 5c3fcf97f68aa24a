import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { createSandbox } from './create-sandbox.ts';
import { createServiceOptions } from './service-options.ts';
import { useTestSandbox } from './testing/sandbox.ts';

const service = useTestSandbox();

const status = async (meetingId: string) => {
  const { status: code, body } = await service.call('GET', `/api/meeting/status?meeting_id=${meetingId}`);
  return [code, body];
};

describe('the answers', () => {
  it.each([
    ['text', 'new'],
    ['json', { status: 'new' }],
    ['nested', { data: { meeting_id: expect.any(String) as string, status: 'new' } }],
    ['map', { 'the-id': 'new' }],
  ] as const)('show the status as %s', async (statusAnswer, body) => {
    const meetingId = await service.holdMeeting();
    service.sandbox.options.set({ statusAnswer });
    expect(await status(meetingId)).toEqual([200, statusAnswer === 'map' ? { [meetingId]: 'new' } : body]);
  });

  it('name a started recording', async () => {
    const start = async (startAnswer: 'nested' | 'id_text') => {
      service.sandbox.options.set({ startAnswer });
      const link = `https://meet.example/${startAnswer}`;
      return (await service.call('POST', '/api/record-meeting', { link })).body;
    };
    expect(await start('nested')).toMatchObject({ data: { status: 'recording' } });
    expect(await start('id_text')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('have other words for states, wherever a state is shown', async () => {
    service.sandbox.options.set({
      stateWords: { new: 'finished', recording: 'in_progress', processed: 'read' },
      notReadyAnswer: 'json',
    });
    const runningId = await service.record();
    expect(await service.readReport(runningId)).toMatchObject({
      status: 202,
      body: { status: 'in_progress', message: 'Meeting is in progress now, status: in_progress' },
    });
    expect((await service.call('DELETE', `/api/record-meeting?meeting_id=${runningId}`)).body).toMatchObject({
      message: 'Only a scheduled recording can be cancelled; this meeting is in_progress.',
    });
    const meetingId = await service.holdMeeting();
    expect(await status(meetingId)).toEqual([200, 'finished']);
    const report = await service.readReport(meetingId);
    expect(report.body).toMatchObject({ followup_v2: { status: 'read' } });
    expect((await service.call('GET', '/api/workspaces/active/meetings/search')).body).toMatchObject({
      followups: [{ status: 'read' }, { status: 'in_progress' }],
    });
  });

  it.each([
    ['observed', 200, 'OK'],
    ['json', 200, { success: true }],
    ['text', 200, 'OK'],
    ['empty', 204, ''],
  ] as const)('acknowledge as %s', async (acknowledgement, code, body) => {
    const meetingId = await service.holdMeeting();
    service.sandbox.options.set({ acknowledgement });
    expect(await service.call('POST', '/api/stop-recording', { meeting_id: meetingId })).toMatchObject({
      status: code,
      body,
    });
  });

  it.each([
    ['json', { code: 'MEETING_NOT_FOUND', message: expect.any(String) as string, field: 'meeting_id' }],
    ['nested', { error: { code: 'MEETING_NOT_FOUND' } }],
    ['text', 'No meeting has this meeting_id.'],
  ] as const)('show an error as %s, also a planned one', async (errorShape, body) => {
    service.sandbox.options.set({ errorShape });
    const answered = await status('none');
    if (typeof body === 'string') expect(answered).toEqual([404, body]);
    else expect(answered).toMatchObject([404, body]);
    service.sandbox.faults.add({ kind: 'status', status: 503 });
    const planned = await status('none');
    expect([planned[0], typeof planned[1]]).toEqual([503, errorShape === 'text' ? 'string' : 'object']);
  });

  it('have unknown fields in every object', async () => {
    service.sandbox.options.set({ extraFields: true });
    expect((await service.call('GET', '/api/v2/workspaces/active/custom-templates')).body).toMatchObject({
      templates: [{ sandbox_extra: {} }, { sandbox_extra: {} }],
      sandbox_extra: { since: 'a later version' },
    });
  });

  it('are limited in number', async () => {
    service.sandbox.options.set({ rateLimit: { requests: 1, perSeconds: 90 } });
    expect(await status('none')).toMatchObject([404, {}]);
    expect(await status('none')).toMatchObject([429, { message: 'Too many requests: wait 90 s.' }]);
    service.sandbox.clock.advance(90_000);
    expect(await status('none')).toMatchObject([404, {}]);
  });
});

describe('the options', () => {
  it('are read, set and reset by the control, and a wrong one changes nothing', async () => {
    const control = async (method: string, changes?: object) =>
      (await service.call(method, '/_sandbox/options', changes)).body;
    expect(await control('PATCH', { statusAnswer: 'json' })).toMatchObject({
      options: { statusAnswer: 'json' },
    });
    for (const [changes, message] of [
      [{ statusanswer: 'json' }, 'There is no such option: statusAnswer?'],
      [{ statusAnswer: 'xml' }, 'statusAnswer: '],
      [{ rateLimit: { requests: 0, perSeconds: 1 } }, 'rateLimit'],
    ] as const) {
      expect(await control('PATCH', changes)).toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining(message) as string,
      });
    }
    expect(await control('GET')).toMatchObject({ options: { statusAnswer: 'json' } });
    expect(await control('DELETE')).toMatchObject({ options: { statusAnswer: 'text' } });
  });

  it('go back to those of the start', async () => {
    const sandbox = createSandbox({ options: { errorShape: 'nested' } });
    sandbox.options.set({ errorShape: 'text', statusAnswer: 'map' });
    sandbox.options.reset();
    expect(sandbox.options.get()).toMatchObject({ errorShape: 'nested', statusAnswer: 'text' });
    expect(() => sandbox.options.set({ errorShape: 'xml' as 'text' })).toThrow(RangeError);
    await sandbox.close();
  });

  it('are all explained', () => {
    const page = readFileSync(new URL('../../../docs/sandbox-assumptions.md', import.meta.url), 'utf8');
    expect(Object.keys(createServiceOptions().get()).filter((name) => !page.includes(`\`${name}\``))).toEqual(
      [],
    );
  });
});
