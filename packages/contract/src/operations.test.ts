import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { listFields } from './openapi/describe-fields.ts';
import { type OperationOutput, paramPlaces } from './operation.ts';
import { listOperations, operations } from './operations.ts';

/** The names of all fields of a JSON Schema, with those they stand in: `tags`, `tags.id`. */
function listProperties(schema: unknown, within = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (key !== 'properties') return listProperties(value, within);
    return Object.entries(z.record(z.string(), z.unknown()).parse(value)).flatMap(([name, field]) => [
      within + name,
      ...listProperties(field, `${within}${name}.`),
    ]);
  });
}

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
        .map(({ place, name, schema, isRequired }) => {
          const isObserved = z.toJSONSchema(schema, { io: 'input' })['observed'] === true;
          return `${place}.${name}${isRequired ? '' : '?'}${isObserved ? ' (observed)' : ''}`;
        })
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
      const names = listFields(operation).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    });

    it('has a path field for each placeholder and no other', () => {
      const placeholders = Array.from(operation.path.matchAll(/\{([^}]+)\}/g), ([, name]) => name);
      expect(Object.keys(operation.params.path?.shape ?? {})).toStrictEqual(placeholders);
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
      for (const { place, name, schema } of listFields(operation)) {
        const { description } = z.toJSONSchema(schema, { io: 'input' });
        expect(description, `${place}.${name}`).toMatch(/^\S.{5,}[^.]$/);
      }
    });

    it('turns its inputs and its output into JSON Schema', () => {
      for (const place of paramPlaces) {
        const schema = operation.params[place];
        if (schema === undefined) continue;
        expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({
          type: 'object',
          additionalProperties: false,
        });
      }
      expect(JSON.stringify(z.toJSONSchema(operation.output, { io: 'input' }))).toContain('json-schema.org');
    });

    it('has at least one success, and refusals in ascending order', () => {
      const statuses = [...operation.answers, ...operation.errors.map((status) => ({ status }))].map(
        ({ status }) => status,
      );
      expect(statuses[0]).toBe(200);
      expect(statuses).toStrictEqual([...new Set(statuses)].toSorted((a, b) => a - b));
      for (const { status, meaning } of operation.assumedErrors ?? []) {
        expect(statuses).not.toContain(status);
        expect(meaning).toMatch(/^[A-Z].+\.$/);
      }
      for (const status of [400, 401, 404, 500]) expect(statuses).toContain(status);
      for (const { meaning, bodies } of operation.answers) {
        expect(meaning).toMatch(/^[A-Z].+\.$/);
        expect(bodies).not.toHaveLength(0);
      }
    });

    it('shows in documents every field that its output knows', () => {
      const known = listProperties(z.toJSONSchema(operation.output, { io: 'input' }));
      for (const { bodies } of operation.answers) {
        for (const { schema } of bodies) {
          const shown = schema === undefined ? [] : listProperties(z.toJSONSchema(schema));
          expect(shown).toEqual(expect.arrayContaining(known));
        }
      }
    });

    it('reads any answer, of whatever shape, without failing', () => {
      const odd = [
        undefined,
        null,
        '',
        'processed',
        5,
        true,
        [],
        [1, 'x'],
        {},
        { tags: 5, total: 'x', followups: [7], tag: [] },
      ];
      for (const answer of odd) expect(operation.output.safeParse(answer).success).toBe(true);
    });
  },
);

describe('the answers', () => {
  it('keep unknown fields, turn ids into text and leave out what has another type', () => {
    expect(
      operations.tags.list.output.parse({
        tags: [{ id: 7, name: 'x', extra: 1 }, 'broken', null],
        nextCursor: 9,
        more: {},
      }),
    ).toEqual({
      tags: [{ id: '7', name: 'x', extra: 1 }],
      nextCursor: '9',
      more: {},
    });
    expect(
      operations.meetings.search.output.parse({ total: 'many', followups: [{ id: 'm', tags: [] }, 3] }),
    ).toEqual({
      followups: [{ id: 'm', tags: [] }],
    });
    expect(operations.uploads.chunk.output.parse({ meeting_id: 'm_1', user_id: 42 })).toEqual({
      meeting_id: 'm_1',
      user_id: '42',
    });
    expect(operations.uploads.chunk.output.parse('accepted')).toEqual({});
    expect(
      operations.reports.generate.output.parse({ followup: { a: 1 }, created_template_id: null }),
    ).toEqual({
      followup: { a: 1 },
      created_template_id: null,
    });
  });

  it('are typed', () => {
    const answer: OperationOutput<typeof operations.uploads.chunk> = operations.uploads.chunk.output.parse(
      {},
    );
    const meetingId: string | null | undefined = answer.meeting_id;
    expect(meetingId).toBeUndefined();
  });
});
