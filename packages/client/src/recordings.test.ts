import { describe, expect, it } from 'vitest';

import { createClient } from './create-client.ts';
import { AmbiguousWriteError } from './errors.ts';
import type { StartInput } from './inputs.ts';
import { catchFault } from './testing/catch-fault.ts';
import { createFakeService } from './testing/fake-service.ts';
import { FAKE_START_MS } from './testing/fake-time.ts';

function answerWith(text: string) {
  const { connection, asked } = createFakeService(() => text, { clock: () => FAKE_START_MS });
  return { recordings: createClient(connection).recordings, asked };
}

const link = 'https://meet.example/abc';

describe('recordings.start', () => {
  it('sends what was given and nothing else', async () => {
    const { recordings, asked } = answerWith('{"meeting_id":7}');
    const input: StartInput = {
      link,
      source: 'gmeet',
      title: 'T',
      localDateTime: '2026-10-07T15:00:00+03:00',
      cron: '0 9 * * 1',
      templateName: 'team-sync',
      participants: ['ann@example.com', 'bob@example.com'],
      webhookUrl: 'https://hooks.example/x',
      webhookSecret: '0123456789abcdef',
    };
    expect(await recordings.start(input)).toEqual({ meetingId: '7', raw: { meeting_id: 7 } });
    expect(asked).toEqual([
      `POST /api/record-meeting {"link":"${link}","source":"gmeet","title":"T",` +
        '"local_date_time":"2026-10-07T15:00:00+03:00","cron":"0 9 * * 1","template_name":"team-sync",' +
        '"participants":"ann@example.com,bob@example.com","webhook_url":"https://hooks.example/x",' +
        '"webhook_secret":"0123456789abcdef"}',
    ]);
  });

  it.each([
    '{"meetingId":"m1"}',
    '{"id":"m1"}',
    '{"data":{"meeting_id":"m1"},"id":"request-5"}',
    '{"meeting":{"id":"m1"}}',
    '{"result":{"meeting_id":"m1"}}',
  ])('finds the meeting in %s', async (text) => {
    expect((await answerWith(text).recordings.start({ link })).meetingId).toBe('m1');
  });

  it.each([
    '3f0c6f5e-8a3d-4c1b-9d2e-7a6b5c4d3e2f',
    '"3f0c6f5e-8a3d-4c1b-9d2e-7a6b5c4d3e2f"\n',
    '64b7f0c2e4b0a1d2c3f4a5b6',
  ])('takes %j for the id itself', async (text) => {
    const { meetingId } = await answerWith(text).recordings.start({ link });
    expect(meetingId).toBe(text.trim().replaceAll('"', ''));
  });

  it.each(['accepted', 'recording-started', '2026-07-07', '12345678', 'Bot 4 is on its way', 'x1'])(
    'takes %j for no id',
    async (text) => {
      await expect(answerWith(text).recordings.start({ link })).rejects.toBeInstanceOf(AmbiguousWriteError);
    },
  );

  it.each(['', 'ok', '{}', '{"status":"scheduled"}', '[]', '{"meeting_id":null}', '{"id":9007199254740993}'])(
    'says where to look when %j names no meeting',
    async (text) => {
      const { recordings } = answerWith(text);
      const planned = '2026-07-06T01:00:00+03:00';
      const error = await catchFault(recordings.start({ link, localDateTime: planned }, { allowPast: true }));
      expect(error).toBeInstanceOf(AmbiguousWriteError);
      expect(error).toMatchObject({
        code: 'ambiguous',
        status: 200,
        verifyWith: { operation: 'meetings.search', input: { dateFrom: '2026-07-05' } },
      });
    },
  );

  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      'a start too far ahead',
      { localDateTime: '2026-10-07T15:00:01+03:00' },
      /localDateTime must be at most 3 months ahead/,
    ],
    ['a short secret', { webhookSecret: 'x'.repeat(15) }, /webhookSecret must be 16 to 128 characters/],
    ['a long secret', { webhookSecret: 'x'.repeat(129) }, /webhookSecret must be 16 to 128 characters/],
    ['participants as text', { participants: 'ann@example.com' }, /participants must be a list/],
    ['an unknown field', { titel: 'T' }, /titel is not known; expected title\?/],
  ])('refuses %s before anything is sent', async (_name, change, rule) => {
    const { recordings, asked } = answerWith('{"meeting_id":7}');
    const error = await catchFault(recordings.start({ link, ...change }));
    expect(error).toMatchObject({ code: 'bad_request', status: undefined, unsent: true });
    expect(error.message).toMatch(rule);
    expect(asked).toEqual([]);
  });

  it('refuses what is no input at all', async () => {
    const { recordings, asked } = answerWith('{"meeting_id":7}');
    for (const input of [undefined, null, 'x', 7, []]) {
      // @ts-expect-error -- what JavaScript callers may hand over
      expect((await catchFault(recordings.start(input))).code).toBe('bad_request');
    }
    expect(asked).toEqual([]);
  });
});

describe('recordings.status, stop and cancel', () => {
  it('ask with the meeting’s id', async () => {
    const { recordings, asked } = answerWith('processed');
    expect(await recordings.status('m')).toEqual({ phase: 'ready', status: 'processed' });
    expect(await recordings.stop('m')).toEqual({ raw: 'processed' });
    expect(await recordings.cancel('m')).toEqual({ raw: 'processed' });
    expect(asked).toEqual([
      'GET /api/meeting/status?meeting_id=m',
      'POST /api/stop-recording {"meeting_id":"m"}',
      'DELETE /api/record-meeting?meeting_id=m',
    ]);
  });
});
