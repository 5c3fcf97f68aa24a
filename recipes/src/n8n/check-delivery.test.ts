import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { findCode, runCode } from '../testing/n8n/run-code.ts';
import { drawFor } from '../testing/n8n/workflows.ts';

describe('Check the delivery', () => {
  const code = findCode(drawFor('slack-recap').workflow, 'Check the delivery');
  const raw = '{"event":"meeting.completed","meeting_id":"m_1","timestamp":"t","data":{"title":"T"}}';

  function check(change: object = {}, headers: object = {}): unknown {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const expected = createHmac('sha256', 'secret-secret-16').update(`${timestamp}.${raw}`).digest('hex');
    const signed = {
      'x-service-signature': `sha256=${expected}`,
      'x-service-timestamp': timestamp,
      ...headers,
    };
    const given = {
      raw,
      expected,
      header_prefix: 'X-Service',
      tolerance_seconds: 300,
      headers: signed,
      ...change,
    };
    return runCode(code, [given])[0]?.json;
  }

  it('reads the event from the text that was signed', () => {
    expect(check()).toEqual({
      accepted: true,
      event: 'meeting.completed',
      meeting_id: 'm_1',
      occurrence: 't',
      title: 'T',
      reason: '',
      is_transcript_empty: false,
      key: 'meeting.completed|m_1|t',
    });
  });

  it.each([
    ['another signature', {}, { 'x-service-signature': `sha256=${'0'.repeat(64)}` }],
    ['no signature', {}, { 'x-service-signature': undefined }],
    ['a longer signature', { expected: '' }, { 'x-service-signature': 'sha256=00' }],
    ['no headers', { headers: undefined }, {}],
    ['an old timestamp', {}, { 'x-service-timestamp': '1' }],
    ['a timestamp that is none', {}, { 'x-service-timestamp': '1e9' }],
    ['no JSON', { raw: 'no' }, {}],
    ['null', { raw: 'null' }, {}],
    ['no meeting', { raw: '{}' }, {}],
  ])('refuses %s', (_what, change, headers) => {
    expect(check(change, headers)).toMatchObject({ accepted: false });
  });
});
