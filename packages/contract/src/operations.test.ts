import { describe, expect, it } from 'vitest';

import { listAnswers } from './openapi/answers.ts';
import { listFields } from './operation.ts';
import { listOperations, operations } from './operations.ts';

describe('the table of operations', () => {
  it('holds the fifteen operations of the specification, each at its method and path', () => {
    expect(listOperations().map(({ id, method, path }) => `${id} ${method} ${path}`)).toStrictEqual([
      'recordings.start POST /api/record-meeting',
      'recordings.status GET /api/meeting/status',
      'recordings.stop POST /api/stop-recording',
      'recordings.cancel DELETE /api/record-meeting',
      'uploads.chunk POST /api/video',
      'reports.get GET /api/video/report',
      'reports.generate POST /api/generate-new-template',
      'reports.editBlock PUT /api/meeting/{meeting_id}/summary',
      'templates.list GET /api/v2/workspaces/active/custom-templates',
      'exports.download GET /api/storage/download',
      'meetings.search GET /api/workspaces/active/meetings/search',
      'tags.list GET /api/workspaces/active/tags',
      'tags.create POST /api/workspaces/active/tags',
      'tags.attach PUT /api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
      'tags.detach DELETE /api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
    ]);
  });

  it('holds exactly these fields: those of the specification, and the observed ones marked as such', () => {
    const fields = listOperations().map((operation) => [
      operation.id,
      listFields(operation)
        .map(
          ({ place, wire, required: isRequired, observed }) =>
            `${place}.${wire}${isRequired ? '' : '?'}${observed === true ? ' (observed)' : ''}`,
        )
        .join(', '),
    ]);
    expect(Object.fromEntries(fields)).toStrictEqual({
      'recordings.start':
        'body.link, body.source?, body.title?, body.local_date_time?, body.cron?, body.template_name?, body.participants?, body.webhook_url?, body.webhook_secret?',
      'recordings.status': 'query.meeting_id',
      'recordings.stop': 'body.meeting_id',
      'recordings.cancel': 'query.meeting_id',
      'uploads.chunk':
        'form.id, form.chunk_total, form.chunk_number, form.filename, form.template_name?, form.title?, form.upload_session_id, form.expected_file_size, form.webhook_url?, form.expected_sha256? (observed), form.webhook_secret? (observed), form.localTime? (observed), form.speakers_number? (observed), form.file',
      'reports.get': 'query.meeting_id',
      'reports.generate': 'body.meeting_id, body.template_name',
      'reports.editBlock': 'path.meeting_id, body.templateId, body.entityName, body.newSummaryText',
      'templates.list': '',
      'exports.download':
        'query.meeting_id, query.format, query.include_report?, query.include_tasks?, query.template_name?, query.timezone?',
      'meetings.search':
        'query.q?, query.tagIds?, query.sources?, query.dateFrom?, query.dateTo? (observed), query.authors? (observed), query.scope? (observed), query.page? (observed), query.perPage? (observed)',
      'tags.list': 'query.perPage?, query.cursor? (observed)',
      'tags.create': 'body.name, body.color?',
      'tags.attach': 'path.meeting_id, path.tag_id',
      'tags.detach': 'path.meeting_id, path.tag_id',
    });
  });

  it('says which operations may be sent again after an ambiguous failure', () => {
    expect(
      listOperations()
        .filter(({ repeatable }) => !repeatable)
        .map(({ id }) => id),
    ).toStrictEqual(['recordings.start', 'reports.generate', 'tags.create']);
  });

  it('says what kind of answer each operation has', () => {
    const kinds = listOperations().map(({ id, response }) => `${id} ${response}`);
    expect(kinds.filter((kind) => !kind.endsWith('mixed'))).toStrictEqual([
      'reports.generate json',
      'templates.list json',
      'exports.download binary',
      'meetings.search json',
      'tags.list json',
      'tags.create json',
    ]);
  });

  it('has each operation at the place its id names', () => {
    for (const [resource, verbs] of Object.entries(operations)) {
      for (const [verb, operation] of Object.entries(verbs)) expect(operation.id).toBe(`${resource}.${verb}`);
    }
  });
});

describe.each(listOperations().map((operation) => ({ id: operation.id, operation })))(
  '$id',
  ({ operation }) => {
    it('never has one field name in two places, because its input is flat', () => {
      const fields = listFields(operation);
      expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
      expect(new Set(fields.map(({ wire }) => wire)).size).toBe(fields.length);
    });

    it('names its fields in one casing for the caller', () => {
      for (const { name } of listFields(operation)) expect(name).toMatch(/^[a-z][a-zA-Z0-9]*$/);
    });

    it('has a path field for each placeholder and no other', () => {
      const placeholders = Array.from(operation.path.matchAll(/\{([^}]+)\}/g), ([, name]) => name);
      const wires = listFields(operation).flatMap(({ place, wire }) => (place === 'path' ? [wire] : []));
      expect(wires).toStrictEqual(placeholders);
    });

    it('has at most one kind of body', () => {
      expect(operation.params.body !== undefined && operation.params.form !== undefined).toBe(false);
      const takesBody = operation.method === 'POST' || operation.method === 'PUT';
      expect(takesBody || (operation.params.body ?? operation.params.form) === undefined).toBe(true);
    });

    it('describes itself and each of its fields', () => {
      expect(operation.summary).toMatch(/^[A-Z].{10,60}[^.]$/);
      expect(operation.description).toMatch(/^[A-Z].{10,}\.$/);
      expect(['Recording', 'File upload', 'Reports and templates', 'Export', 'Search and tags']).toContain(
        operation.section,
      );
      for (const { place, name, description } of listFields(operation)) {
        expect(description, `${place}.${name}`).toMatch(/^\S.{5,}[^.]$/);
      }
    });

    it('has at least one success, and refusals in ascending order', () => {
      const successes = listAnswers(operation);
      const statuses = [...successes, ...operation.errors.map((status) => ({ status }))].map(
        ({ status }) => status,
      );
      expect(statuses[0]).toBe(200);
      expect(statuses).toStrictEqual([...new Set(statuses)].toSorted((a, b) => a - b));
      for (const { status, meaning } of operation.assumedErrors ?? []) {
        expect(statuses).not.toContain(status);
        expect(meaning).toMatch(/^[A-Z].+\.$/);
      }
      for (const status of [400, 401, 404, 500]) expect(statuses).toContain(status);
      for (const { meaning, bodies } of successes) {
        expect(meaning).toMatch(/^[A-Z].+\.$/);
        expect(bodies).not.toHaveLength(0);
      }
    });
  },
);
