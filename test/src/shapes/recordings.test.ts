import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type ShapeHouse, startShapeHouse } from './shape-house.ts';

// Whatever shape the service answers in, the client reads the same.

let house: ShapeHouse;

beforeAll(async () => {
  house = await startShapeHouse();
});

afterEach(() => house.sandbox.knobs.reset());

afterAll(() => house.close());

const uuid = /^[0-9a-f-]{36}$/;

describe('starting a recording', () => {
  it.each(['json', 'nested', 'id_text'] as const)(
    'names the meeting, answered as %s',
    async (startAnswer) => {
      house.sandbox.knobs.turn({ startAnswer });
      const { meetingId } = await house.client.recordings.start({
        link: `https://meet.example/${startAnswer}`,
      });
      expect(meetingId).toMatch(uuid);
      expect(await house.client.recordings.status(meetingId)).toEqual({
        phase: 'recording',
        status: 'recording',
      });
    },
  );

  it('says which field the service misses, and what it takes for a platform', async () => {
    house.sandbox.knobs.turn({ requiredRecordingFields: ['title'], sources: ['gmeet'] });
    const link = 'https://meet.example/refused';
    await expect(house.client.recordings.start({ link })).rejects.toMatchObject({
      code: 'bad_request',
      detail: 'title is missing: the service requires it.',
    });
    await expect(house.client.recordings.start({ link, title: 'T', source: 'zoom' })).rejects.toMatchObject({
      code: 'bad_request',
      detail: 'source must be one of gmeet.',
    });
  });
});

describe('the status', () => {
  it.each(['text', 'json', 'nested', 'map'] as const)('is read as %s', async (statusAnswer) => {
    const meetingId = await house.hold();
    house.sandbox.knobs.turn({ statusAnswer });
    expect(await house.client.recordings.status(meetingId)).toEqual({ phase: 'ready', status: 'new' });
    house.sandbox.knobs.turn({ statusAnswer, extraFields: true });
    expect(await house.client.recordings.status(meetingId)).toEqual({ phase: 'ready', status: 'new' });
  });

  it.each(['text', 'json', 'nested', 'map'] as const)(
    'keeps a word that nobody knows, as %s',
    async (statusAnswer) => {
      const meetingId = await house.hold(false);
      house.sandbox.knobs.turn({
        statusAnswer,
        stateWords: { recording: 'in_progress', new: 'abgeschlossen' },
      });
      expect(await house.client.recordings.status(meetingId)).toEqual({
        phase: 'unknown',
        status: 'in_progress',
      });
      house.sandbox.completeMeeting(meetingId);
      expect(await house.client.recordings.status(meetingId)).toEqual({
        phase: 'unknown',
        status: 'abgeschlossen',
      });
    },
  );

  it('is asked for again while nobody knows the word', async () => {
    const meetingId = await house.hold(false);
    house.sandbox.knobs.turn({ stateWords: { recording: 'in_progress' } });
    const seen: string[] = [];
    const controller = new AbortController();
    const waiting = house.client.recordings.waitUntilReady(meetingId, {
      signal: controller.signal,
      onStatus: ({ status }) => {
        seen.push(status);
        controller.abort();
      },
    });
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    expect(seen).toEqual(['in_progress']);
  });
});

describe('an acknowledgement', () => {
  it.each(['json', 'text', 'empty'] as const)('is enough as %s', async (acknowledgement) => {
    const { client, sandbox } = house;
    const [ready, running] = [await house.hold(), await house.hold(false)];
    const planned = await client.recordings.start({
      link: `https://meet.example/planned-${acknowledgement}`,
      local_date_time: '2026-07-08T12:00:00Z',
    });
    const tag = await client.tags.create({ name: acknowledgement });
    const report = await client.reports.get(ready);
    const templateId = report.ready ? report.report.templates[0]?.id : undefined;
    sandbox.knobs.turn({ acknowledgement });
    await client.recordings.stop(running);
    await client.recordings.cancel(planned.meetingId);
    await client.tags.attach({ meeting_id: ready, tag_id: tag.id });
    await client.reports.editBlock({
      meeting_id: ready,
      templateId: templateId ?? '',
      entityName: 'summary',
      newSummaryText: 'Other.',
    });
    const changed = await client.reports.get(ready);
    expect(changed).toMatchObject({ ready: true, report: { tags: [acknowledgement], summary: 'Other.' } });
    expect((await client.recordings.status(running)).phase).toBe('processing');
    await expect(client.recordings.status(planned.meetingId)).rejects.toMatchObject({ code: 'not_found' });
    await client.tags.detach({ meeting_id: ready, tag_id: tag.id });
    expect(await client.reports.get(ready)).toMatchObject({ report: { tags: [] } });
  });
});
