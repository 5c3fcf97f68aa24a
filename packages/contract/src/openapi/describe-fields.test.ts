import { describe, expect, it } from 'vitest';

import { listOperations, operations } from '../operations.ts';
import { describeFields } from './describe-fields.ts';

describe('describeFields', () => {
  it('says what a field is, in the words of its refusal', () => {
    expect(describeFields(operations.meetings.search).slice(1, 5)).toStrictEqual([
      {
        name: 'tagIds',
        inputName: 'tagIds',
        place: 'query',
        type: 'list of texts',
        isRequired: false,
        rule: 'a list of tag ids',
        meaning: 'Meetings with any of these tags',
        isObserved: false,
        examples: [],
        observedExamples: [],
      },
      {
        name: 'sources',
        inputName: 'sources',
        place: 'query',
        type: 'list of texts',
        isRequired: false,
        rule: 'a list of platform identifiers',
        meaning: 'Meetings of these platforms, such as gmeet and zoom',
        isObserved: false,
        examples: [],
        observedExamples: [
          'yandextelemost',
          'sberjazz',
          'trueconf',
          'konturtalk',
          'msteams',
          'jitsi',
          'mtslink',
          'lark',
        ],
      },
      {
        name: 'dateFrom',
        inputName: 'dateFrom',
        place: 'query',
        type: 'text',
        isRequired: false,
        rule: 'a date such as 2026-07-07',
        meaning: 'Meetings of this day or later',
        isObserved: false,
        examples: [],
        observedExamples: [],
      },
      {
        name: 'dateTo',
        inputName: 'dateTo',
        place: 'query',
        type: 'text',
        isRequired: false,
        rule: 'a date such as 2026-07-07',
        meaning: 'Meetings of this day or earlier',
        isObserved: true,
        examples: [],
        observedExamples: [],
      },
    ]);
  });

  it('knows the type of every field', () => {
    const types = [
      ...describeFields(operations.uploads.chunk),
      ...describeFields(operations.exports.download),
    ].map(({ name, type, isRequired }) => `${name}: ${type}${isRequired ? '' : '?'}`);
    expect(types).toStrictEqual([
      'id: text',
      'chunk_total: whole number',
      'chunk_number: whole number',
      'filename: text',
      'template_name: text?',
      'title: text?',
      'upload_session_id: text',
      'expected_file_size: whole number',
      'webhook_url: text?',
      'expected_sha256: text?',
      'webhook_secret: text?',
      'localTime: text?',
      'speakers_number: whole number?',
      'file: bytes',
      'meeting_id: text',
      'format: text',
      'include_report: true or false?',
      'include_tasks: true or false?',
      'template_name: text?',
      'timezone: text?',
    ]);
  });

  it('has a rule for every field of the table', () => {
    for (const operation of listOperations()) {
      for (const { name, rule } of describeFields(operation)) {
        expect(rule, `${operation.id} ${name}`).toMatch(/^(?!is missing|must be)\S.{2,}[^.]$/);
      }
    }
  });
});
