import { expect, it } from 'vitest';

import { eventShape } from './answer-shapes.ts';
import { readWebhookEvent } from './webhook-event.ts';

it('shows exactly what the reader of deliveries reads', () => {
  const body = {
    event: 'meeting.failed',
    meeting_id: 'm_1',
    timestamp: '2026-07-07T12:00:00Z',
    data: {
      title: 'Planning',
      is_transcript_empty: true,
      report_url: 'https://service.example/api/video/report?meeting_id=m_1',
      reason: 'The bot was not admitted.',
    },
  };
  expect(readWebhookEvent(Buffer.from(JSON.stringify(body)))).toMatchObject({ ok: true, event: body });
  expect(eventShape.parse(body)).toStrictEqual(body);
  expect(Object.keys(eventShape.shape)).toStrictEqual(Object.keys(body));
  expect(Object.keys(eventShape.shape.data.unwrap().shape)).toStrictEqual(Object.keys(body.data));
});
