import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Digest } from '../../report/digest.ts';
import { parseText } from '../../report/parse-text.ts';
import { describeMeetingBody, makeMeetingBody, meetingParts } from './write-meeting-body.ts';

const digest: Digest = {
  meetingId: 'm_1',
  title: 'Weekly sync',
  startedAt: '2026-07-07T11:00:00.000Z',
  startedLocal: '2026-07-07 14:00',
  utcOffset: '+03:00',
  durationSeconds: 3900,
  source: 'zoom',
  people: ['Ann Lee'],
  attendees: [{ name: 'Ann Lee', email: 'ann@example.com' }, { email: 'carl@example.com' }],
  tags: ['sales'],
  templates: [{ name: 'default-meeting', id: 't_1' }],
  summary: parseText('We agreed.'),
  decisions: [parseText('Ship on Friday')],
  taskGroups: [
    {
      owner: 'Ann Lee',
      email: 'ann@example.com',
      tasks: [
        {
          key: 'ab12',
          text: parseText('Send the offer'),
          due: 'Friday',
          dueDate: '2026-07-10',
          atSeconds: 61,
        },
      ],
    },
    { tasks: [{ key: 'cd34', text: parseText('Book a room') }] },
  ],
  sections: [{ title: 'Risks', text: parseText('None.') }],
  transcript: [
    { name: 'Start', startSeconds: 0, turns: [{ speaker: 'Ann Lee', text: 'Hello', startSeconds: 1 }] },
  ],
  isTranscriptEmpty: false,
  isCut: false,
};

it('writes a meeting in the documented shape', () => {
  const body = makeMeetingBody(digest, { parts: new Set(meetingParts), hasEmails: true });
  expect(body).toEqual({
    type: 'meeting.completed',
    timestamp: '2026-07-07T12:05:00.000Z',
    data: {
      version: 1,
      meeting_id: 'm_1',
      title: 'Weekly sync',
      started_at: '2026-07-07T11:00:00.000Z',
      utc_offset: '+03:00',
      duration_seconds: 3900,
      source: 'zoom',
      participants: [
        { name: 'Ann Lee', email: 'ann@example.com' },
        { name: null, email: 'carl@example.com' },
      ],
      tags: ['sales'],
      templates: ['default-meeting'],
      is_cut: false,
      summary: 'We agreed.',
      decisions: ['Ship on Friday'],
      tasks: [
        {
          key: 'ab12',
          text: 'Send the offer',
          state: 'open',
          owner: 'Ann Lee',
          owner_email: 'ann@example.com',
          due: 'Friday',
          due_date: '2026-07-10',
          at_seconds: 61,
        },
        {
          key: 'cd34',
          text: 'Book a room',
          state: 'open',
          owner: null,
          owner_email: null,
          due: null,
          due_date: null,
          at_seconds: null,
        },
      ],
      sections: [{ title: 'Risks', text: 'None.' }],
      transcript: [
        { name: 'Start', start_seconds: 0, turns: [{ speaker: 'Ann Lee', text: 'Hello', start_seconds: 1 }] },
      ],
    },
  });
});

it('describes each field that it writes, and no other', () => {
  const body = makeMeetingBody(digest, { parts: new Set(meetingParts), hasEmails: true });
  const fields = describeMeetingBody();
  expect(fields.map(({ path }) => path)).toEqual(listPaths(body, ''));
  expect(fields.filter(({ description }) => description === '')).toEqual([]);
  expect(fields.find(({ path }) => path === 'data.tasks[].due_date')).toEqual({
    path: 'data.tasks[].due_date',
    type: 'text or null',
    description: 'YYYY-MM-DD, when `due` is clearly a date.',
  });
});

function listPaths(value: object, prefix: string): readonly string[] {
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    const path = `${prefix}${name}`;
    const [first]: readonly unknown[] = Array.isArray(field) ? field : [];
    if (typeof first === 'object' && first !== null) return [path, ...listPaths(first, `${path}[].`)];
    const isPlain = typeof field !== 'object' || field === null || Array.isArray(field);
    return isPlain ? [path] : [path, ...listPaths(field, `${path}.`)];
  });
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\u0000\u2028', '"},"data":{', '</script>', '\r\nwebhook-id: 1'),
);

it('writes JSON that says what the report says, whatever that is', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (title, owner, words) => {
      const text = {
        type: 'root',
        children: [{ type: 'paragraph', children: [{ type: 'text', value: words }] }],
      } as const;
      const hostile = {
        ...digest,
        title,
        meetingId: 'm\u202e\u{E0041}_1',
        taskGroups: [{ owner, tasks: [{ key: words, text }] }],
      };
      const body = JSON.stringify(
        makeMeetingBody(hostile, { parts: new Set(meetingParts), hasEmails: false }),
      );
      expect(JSON.parse(body)).toMatchObject({
        type: 'meeting.completed',
        data: { meeting_id: 'm_1', title, tasks: [{ key: words, owner }] },
      });
      expect(body).not.toContain('ann@example.com');
    }),
    { numRuns: 50 },
  );
});
