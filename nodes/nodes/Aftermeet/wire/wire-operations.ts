import { limits } from '@aftermeet/contract/pure';

import type { WireField, WireOperation, WirePlace } from './build-wire-request.ts';

type Loose = Pick<WireField, 'kind' | 'rule'> & Partial<WireField>;

const text: Loose = { kind: 'text', rule: 'text' };
const webAddress: Loose = { kind: 'text', rule: 'web address' };
const start: Loose = { kind: 'text', rule: 'planned start' };
const secret: Loose = { kind: 'text', rule: 'secret' };
const items: Loose = { kind: 'list', rule: 'list items' };
const date: Loose = { kind: 'text', rule: 'date' };
const uuid: Loose = { kind: 'text', rule: 'uuid' };
const flag: Loose = { kind: 'boolean', rule: 'boolean' };

/** Chunks of one byte, and the empty one that completes the upload: there can never be more. */
const maxChunks = limits.uploadMaxBytes + 1;

function whole(min: number, max?: number): Loose {
  return { kind: 'integer', rule: 'whole number', min, ...(max === undefined ? {} : { max }) };
}

/** A field that has to be there. */
function must(place: WirePlace, field: Loose): WireField {
  return { ...field, place, required: true };
}

/** A field that may be left out. */
function may(place: WirePlace, field: Loose): WireField {
  return { ...field, place, required: false };
}

/** Every operation of the service, in the order of the contract. */
export const wireOperations = {
  'recordings.start': {
    id: 'recordings.start',
    method: 'POST',
    path: '/api/record-meeting',
    repeatable: false,
    fields: {
      link: must('body', webAddress),
      source: may('body', text),
      title: may('body', text),
      local_date_time: may('body', start),
      cron: may('body', { kind: 'text', rule: 'cron' }),
      template_name: may('body', text),
      participants: may('body', { kind: 'list', rule: 'mail addresses' }),
      webhook_url: may('body', webAddress),
      webhook_secret: may('body', secret),
    },
  },
  'recordings.status': {
    id: 'recordings.status',
    method: 'GET',
    path: '/api/meeting/status',
    repeatable: true,
    fields: { meeting_id: must('query', text) },
  },
  'recordings.stop': {
    id: 'recordings.stop',
    method: 'POST',
    path: '/api/stop-recording',
    repeatable: true,
    fields: { meeting_id: must('body', text) },
  },
  'recordings.cancel': {
    id: 'recordings.cancel',
    method: 'DELETE',
    path: '/api/record-meeting',
    repeatable: true,
    fields: { meeting_id: must('query', text) },
  },
  'uploads.chunk': {
    id: 'uploads.chunk',
    method: 'POST',
    path: '/api/video',
    repeatable: true,
    fields: {
      id: must('form', uuid),
      chunk_total: must('form', whole(2, maxChunks)),
      chunk_number: must('form', whole(0, maxChunks - 1)),
      filename: must('form', { kind: 'text', rule: 'file name' }),
      template_name: may('form', text),
      title: may('form', text),
      upload_session_id: must('form', uuid),
      expected_file_size: must('form', whole(1, limits.uploadMaxBytes)),
      webhook_url: may('form', webAddress),
      expected_sha256: may('form', { kind: 'text', rule: 'sha256' }),
      webhook_secret: may('form', secret),
      localTime: may('form', start),
      speakers_number: may('form', whole(1)),
      file: must('form', { kind: 'file', rule: 'bytes' }),
    },
  },
  'reports.get': {
    id: 'reports.get',
    method: 'GET',
    path: '/api/video/report',
    repeatable: true,
    fields: { meeting_id: must('query', text) },
  },
  'reports.generate': {
    id: 'reports.generate',
    method: 'POST',
    path: '/api/generate-new-template',
    repeatable: false,
    fields: { meeting_id: must('body', text), template_name: must('body', text) },
  },
  'reports.editBlock': {
    id: 'reports.editBlock',
    method: 'PUT',
    path: '/api/meeting/{meeting_id}/summary',
    repeatable: true,
    fields: {
      meeting_id: must('path', text),
      templateId: must('body', text),
      entityName: must('body', text),
      newSummaryText: must('body', { kind: 'text', rule: 'any text' }),
    },
  },
  'templates.list': {
    id: 'templates.list',
    method: 'GET',
    path: '/api/v2/workspaces/active/custom-templates',
    repeatable: true,
    fields: {},
  },
  'exports.download': {
    id: 'exports.download',
    method: 'GET',
    path: '/api/storage/download',
    repeatable: true,
    fields: {
      meeting_id: must('query', text),
      format: must('query', { kind: 'text', rule: 'one of', values: ['pdf', 'docx', 'md'] }),
      include_report: may('query', flag),
      include_tasks: may('query', flag),
      template_name: may('query', text),
      timezone: may('query', { kind: 'text', rule: 'time zone' }),
    },
  },
  'meetings.search': {
    id: 'meetings.search',
    method: 'GET',
    path: '/api/workspaces/active/meetings/search',
    repeatable: true,
    fields: {
      q: may('query', text),
      tagIds: may('query', items),
      sources: may('query', items),
      dateFrom: may('query', date),
      dateTo: may('query', date),
      authors: may('query', items),
      scope: may('query', text),
      page: may('query', whole(0)),
      perPage: may('query', whole(1)),
    },
  },
  'tags.list': {
    id: 'tags.list',
    method: 'GET',
    path: '/api/workspaces/active/tags',
    repeatable: true,
    fields: { perPage: may('query', whole(1)), cursor: may('query', text) },
  },
  'tags.create': {
    id: 'tags.create',
    method: 'POST',
    path: '/api/workspaces/active/tags',
    repeatable: false,
    fields: { name: must('body', text), color: may('body', text) },
  },
  'tags.attach': {
    id: 'tags.attach',
    method: 'PUT',
    path: '/api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
    repeatable: true,
    fields: { meeting_id: must('path', text), tag_id: must('path', text) },
  },
  'tags.detach': {
    id: 'tags.detach',
    method: 'DELETE',
    path: '/api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
    repeatable: true,
    fields: { meeting_id: must('path', text), tag_id: must('path', text) },
  },
} as const satisfies Record<string, WireOperation>;

export type WireOperationId = keyof typeof wireOperations;
