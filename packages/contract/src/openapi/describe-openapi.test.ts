import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { listFields } from '../operation.ts';
import { listOperations } from '../operations.ts';
import { listAnswers } from './answers.ts';
import { describeOpenApi } from './describe-openapi.ts';

const json = z.record(z.string(), z.unknown());
const named = z.record(z.string(), json);
const contentSchema = z.record(z.string(), z.looseObject({ schema: json.optional() }));
const responseSchema = z.union([
  z.strictObject({ $ref: z.string() }),
  z.strictObject({
    description: z.string(),
    content: contentSchema,
    'x-observed': z.literal(true).optional(),
    'x-assumed': z.literal(true).optional(),
  }),
]);
const operationSchema = z.looseObject({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: json }))
    .default([]),
  requestBody: z.strictObject({ required: z.literal(true), content: contentSchema }).optional(),
  responses: z.record(z.string(), responseSchema),
  'x-aftermeet-repeatable': z.boolean(),
});
const document = z
  .looseObject({
    openapi: z.literal('3.1.1'),
    tags: z.array(z.object({ name: z.string(), description: z.string() })),
    paths: z.record(z.string(), z.record(z.string(), operationSchema)),
    webhooks: named,
    components: z.strictObject({ securitySchemes: named, responses: named, schemas: named }),
  })
  .parse(describeOpenApi());

const bodySchema = z.looseObject({ properties: named, required: z.array(z.string()) });

function find(method: string, path: string): z.output<typeof operationSchema> {
  return operationSchema.parse(document.paths[path]?.[method.toLowerCase()]);
}

describe.each(listOperations().map((operation) => ({ id: operation.id, operation })))(
  '$id in the document',
  ({ operation }) => {
    const described = () => find(operation.method, operation.path);

    it('is there, in its section', () => {
      expect(described()).toMatchObject({
        operationId: operation.id.replace('.', '_'),
        summary: operation.summary,
        description: operation.description,
        'x-aftermeet-repeatable': operation.repeatable,
      });
      expect(document.tags.map(({ name }) => name)).toContain(described().tags[0]);
    });

    it('has every field of the table where the table has it, and no other', () => {
      const parameters = described().parameters.map((field) => [field.in, field.name, field.required]);
      const bodies = Object.entries(described().requestBody?.content ?? {}).flatMap(
        ([mediaType, { schema }]) => {
          const { properties, required } = bodySchema.parse(schema);
          const place = mediaType === 'application/json' ? 'body' : 'form';
          return Object.keys(properties).map((name) => [place, name, required.includes(name)]);
        },
      );
      expect([...parameters, ...bodies]).toStrictEqual(
        listFields(operation).map(({ place, wire, required }) => [place, wire, required]),
      );
    });

    it('has every answer of the table', () => {
      const { errors, assumedErrors = [] } = operation;
      const successes = listAnswers(operation);
      const statuses = [...successes, ...assumedErrors].map(({ status }) => status);
      expect(Object.keys(described().responses)).toStrictEqual(
        [...statuses, ...errors].toSorted((one, other) => one - other).map(String),
      );
      for (const { status, meaning } of assumedErrors) {
        expect(described().responses[status]).toMatchObject({ description: meaning, 'x-assumed': true });
      }
      for (const answer of successes) {
        expect(described().responses[answer.status]).toMatchObject({
          description: answer.meaning,
          content: Object.fromEntries(answer.bodies.map(({ mediaType }) => [mediaType, {}])),
        });
      }
      for (const status of operation.errors) {
        const { $ref } = z.strictObject({ $ref: z.string() }).parse(described().responses[status]);
        expect(document.components.responses).toHaveProperty($ref.replace('#/components/responses/', ''));
      }
    });
  },
);

describe('the document', () => {
  it('marks every observed field and no other', () => {
    const marked = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, parameters, requestBody }) => [
        ...parameters
          .filter((field) => field['x-observed'] === true)
          .map(({ name }) => `${operationId} ${name}`),
        ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          Object.entries(bodySchema.parse(schema).properties)
            .filter(([, field]) => field['x-observed'] === true)
            .map(([name]) => `${operationId} ${name}`),
        ),
      ]),
    );
    expect(marked).toStrictEqual([
      'uploads_chunk expected_sha256',
      'uploads_chunk webhook_secret',
      'uploads_chunk localTime',
      'uploads_chunk speakers_number',
      'meetings_search dateTo',
      'meetings_search authors',
      'meetings_search scope',
      'meetings_search page',
      'meetings_search perPage',
      'tags_list cursor',
    ]);
  });

  it('marks every assumed answer and no other', () => {
    const marked = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, answer]) =>
          'x-assumed' in answer ? [`${operationId} ${status}: ${answer.description}`] : [],
        ),
      ),
    );
    expect(marked).toStrictEqual([
      'uploads_chunk 409: Chunks are missing, or a newer attempt has taken the place of this one.',
      'reports_generate 409: There is no report yet, or nothing to make one from.',
      'reports_editBlock 409: There is no report yet: ask again later.',
      'exports_download 409: There is no report yet: ask again later.',
    ]);
    expect(find('GET', '/api/storage/download').responses['409']).toStrictEqual({
      description: 'There is no report yet: ask again later.',
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        'text/plain': { schema: { type: 'string' }, 'x-observed': true },
      },
      'x-assumed': true,
    });
  });

  it('is the same at every call, and nobody can change it for others', () => {
    const first = describeOpenApi();
    expect(describeOpenApi()).toStrictEqual(first);
    expect(JSON.parse(JSON.stringify(first))).toStrictEqual(first);
    Object.assign(first, { paths: undefined });
    expect(describeOpenApi()).toHaveProperty('paths');
  });

  it('has the operations of the table and no other', () => {
    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(all.toSorted()).toStrictEqual(
      listOperations()
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
  });

  it("carries the package's version", () => {
    const manifest: unknown = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
    );
    expect(manifest).toHaveProperty('version', document['info'] && Object(document['info']).version);
  });

  it('points only to what it holds', () => {
    const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(pointers.length).toBeGreaterThan(80);
    for (const [, kind = '', name = ''] of pointers) expect(document.components).toHaveProperty([kind, name]);
    expect(JSON.stringify(document).match(/"\$(?:id|schema|defs)"/g)).toBeNull();
  });
});

describe('what is on the wire', () => {
  it('is one comma-separated text for a list in a query', () => {
    const lists = find('GET', '/api/workspaces/active/meetings/search').parameters.filter(
      ({ schema }) => schema['type'] === 'array',
    );
    expect(lists.map(({ name, style, explode }) => [name, style, explode])).toStrictEqual([
      ['tagIds', 'form', false],
      ['sources', 'form', false],
      ['authors', 'form', false],
    ]);
  });

  it('is text for a list in JSON', () => {
    const { content } = find('POST', '/api/record-meeting').requestBody ?? {};
    expect(content?.['application/json']?.schema).toMatchObject({
      properties: {
        participants: {
          type: 'string',
          description:
            'E-mail addresses of the participants; the service may write to them itself; comma-separated',
        },
        source: {
          examples: ['gmeet', 'zoom'],
          'x-observed-values': expect.arrayContaining(['lark']) as unknown,
        },
      },
      required: ['link'],
    });
  });

  it('is a boolean or a whole number as OpenAPI writes them in a query', () => {
    const fields = [
      ...find('GET', '/api/storage/download').parameters,
      ...find('GET', '/api/workspaces/active/tags').parameters,
    ].map(({ name, schema }) => [name, schema]);
    expect(Object.fromEntries(fields)).toStrictEqual({
      meeting_id: { type: 'string', minLength: 1 },
      format: { type: 'string', enum: ['pdf', 'docx', 'md'] },
      include_report: { type: 'boolean' },
      include_tasks: { type: 'boolean' },
      template_name: {
        type: 'string',
        minLength: 1,
        examples: ['default-meeting', 'sales-meeting', 'team-sync'],
      },
      timezone: { type: 'string', examples: ['Europe/Berlin'] },
      perPage: { type: 'integer', minimum: 1 },
      cursor: { type: 'string', minLength: 1 },
    });
  });

  it('is a form with raw bytes for a chunk', () => {
    expect(find('POST', '/api/video').requestBody).toMatchObject({
      content: {
        'multipart/form-data': {
          schema: {
            properties: {
              chunk_number: { type: 'integer', minimum: 0 },
              file: { contentMediaType: 'application/octet-stream' },
              id: { type: 'string', format: 'uuid' },
            },
          },
          encoding: { file: { contentType: 'application/octet-stream' } },
        },
      },
    });
  });

  it('is a file in one of three kinds for an export', () => {
    expect(find('GET', '/api/storage/download').responses['200']).toStrictEqual({
      description: 'The file.',
      content: {
        'application/pdf': { 'x-observed': true },
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { 'x-observed': true },
        'text/markdown': { 'x-observed': true },
      },
    });
  });

  it('is plain text for a status and for a report that is not ready, as observed', () => {
    expect(find('GET', '/api/meeting/status').responses['200']).toMatchObject({
      content: { 'text/plain': { schema: { type: 'string', 'x-observed': true }, 'x-observed': true } },
    });
    expect(find('GET', '/api/video/report').responses['202']).toMatchObject({
      content: { 'text/plain': { schema: { type: 'string' } } },
      'x-observed': true,
    });
  });

  it('is a planned start of which JSON Schema has no format', () => {
    const { content } = find('POST', '/api/record-meeting').requestBody ?? {};
    expect(
      bodySchema.parse(content?.['application/json']?.schema).properties['local_date_time'],
    ).toStrictEqual({
      type: 'string',
      description: 'Planned start, up to three months ahead; the seconds may be left out',
      examples: ['2026-07-07T12:00:00+03:00', '2026-07-07T12:00+03:00'],
    });
  });

  it('is nothing in particular where nothing is shown', () => {
    for (const [method, path] of [
      ['POST', '/api/record-meeting'],
      ['POST', '/api/stop-recording'],
      ['DELETE', '/api/record-meeting'],
      ['PUT', '/api/meeting/{meeting_id}/summary'],
    ] as const) {
      expect(find(method, path).responses['200']).toMatchObject({ content: { '*/*': {} } });
    }
  });
});

describe('the shapes of answers', () => {
  it('are marked as observed, but for those of the specification', () => {
    const shown = Object.entries(document.components.schemas).filter(
      ([, schema]) => schema['x-observed'] !== true,
    );
    expect(shown.map(([name]) => name)).toStrictEqual(['GeneratedReport', 'UploadedChunk', 'WebhookEvent']);
  });

  it('promise no field that was only observed', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (schema['x-observed'] === true) expect(JSON.stringify(schema), name).not.toContain('"required"');
    }
  });

  it('are shared by the refusals', () => {
    expect(Object.keys(document.components.responses)).toStrictEqual([
      'InvalidRequest',
      'NotAuthorized',
      'MinutesUsedUp',
      'NotInPlan',
      'NotFound',
      'Conflict',
      'ServerError',
    ]);
    expect(document.components.responses['Conflict']).toStrictEqual({
      description: 'Already exists or already scheduled',
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        'text/plain': { schema: { type: 'string' }, 'x-observed': true },
      },
      'x-observed': true,
    });
  });
});

describe('a delivery in the document', () => {
  it.each(['meeting.completed', 'meeting.failed'])(
    'of %s carries its kind, its headers and the event',
    (kind) => {
      expect(document.webhooks[kind]).toMatchObject({
        post: {
          security: [],
          parameters: [
            { name: 'X-Service-Event', in: 'header', required: true, schema: { const: kind } },
            { name: 'X-Service-Signature', in: 'header', required: false },
            { name: 'X-Service-Timestamp', in: 'header', required: true },
            { name: 'X-Service-Delivery', in: 'header', required: true },
          ],
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  allOf: [
                    { $ref: '#/components/schemas/WebhookEvent' },
                    { properties: { event: { const: kind } } },
                  ],
                },
              },
            },
          },
          responses: { 200: {}, 401: {} },
        },
      });
    },
  );
});
