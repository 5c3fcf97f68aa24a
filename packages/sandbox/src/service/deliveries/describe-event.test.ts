import { readWebhookEvent } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { describeAnyEvent } from './describe-event.ts';

const nowMs = Date.parse('2026-07-07T12:00:00.789Z');

describe("an event's body", () => {
  it.each([
    ['iso_seconds', '2026-07-07T12:00:00Z'],
    ['iso_millis', '2026-07-07T12:00:00.789Z'],
    ['iso_offset', '2026-07-07T15:00:00+03:00'],
    ['unix_seconds', 1_783_425_600],
    ['unix_millis', 1_783_425_600_789],
  ] as const)('has its time as %s', (eventTimestamp, timestamp) => {
    const knobs = { eventTimestamp, eventExtraFields: false };
    expect(describeAnyEvent('meeting.renamed', 'm1', { title: 'T' }, nowMs, knobs)).toEqual({
      event: 'meeting.renamed',
      meeting_id: 'm1',
      timestamp,
      data: { title: 'T' },
    });
  });

  it('may have fields that nobody knows, and is still read', () => {
    const knobs = { eventTimestamp: 'iso_seconds', eventExtraFields: true } as const;
    const body = describeAnyEvent('meeting.failed', 'm1', { reason: 'R' }, nowMs, knobs);
    expect(body).toEqual({
      event: 'meeting.failed',
      meeting_id: 'm1',
      timestamp: '2026-07-07T12:00:00Z',
      api_version: '2027-01',
      trace: { hops: [1, 2] },
      data: { reason: 'R', mood: null, files: [] },
    });
    expect(readWebhookEvent(Buffer.from(JSON.stringify(body)))).toMatchObject({
      ok: true,
      event: { data: { reason: 'R' } },
    });
  });
});
