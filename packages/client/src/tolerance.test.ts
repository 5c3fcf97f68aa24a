import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { anyCodePoint } from '@aftermeet/test/any-code-point';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createClient } from './create-client.ts';
import { ServiceError } from './errors.ts';
import type { Connection } from './http.ts';
import { makeConnection } from './testing/make-connection.ts';

/** Field names that readers look for, so that arbitrary bodies get past the first look. */
const names = fc.constantFrom(
  ...'id meeting_id m status state data result tag tags total followups meetings followup_v2 followup name'.split(
    ' ',
  ),
  ...'title templates chapters transcript date nextCursor created_template_id message error code length'.split(
    ' ',
  ),
  ...'__proto__ constructor toString'.split(' '),
);

const bodies = fc.oneof(
  fc
    .letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1, stringUnit: 'binary' }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(names, tie('value'), { maxKeys: 5 }),
      ),
    }))
    .value.map((value) => JSON.stringify(value)),
  fc.string({ unit: anyCodePoint }),
  fc.string().map((text) => `{"${text}`),
);

/** Of whole characters: no address and no header can carry half a pair. */
const filenames = fc.string({ unit: 'grapheme', minLength: 1 });

const types = fc.constantFrom('application/json', 'text/plain', 'text/html', 'application/pdf', '');

const methods: readonly (readonly [string, (connection: Connection) => Promise<unknown>])[] = [
  [
    'recordings.start',
    (at) => createClient(at).recordings.start({ link: 'https://meet.example/a', title: 'T' }),
  ],
  ['recordings.status', (at) => createClient(at).recordings.status('m')],
  ['recordings.stop', (at) => createClient(at).recordings.stop('m')],
  ['recordings.cancel', (at) => createClient(at).recordings.cancel('m')],
  ['reports.get', (at) => createClient(at).reports.get('m')],
  ['reports.generate', (at) => createClient(at).reports.generate({ meetingId: 'm', templateName: 'daily' })],
  [
    'reports.editBlock',
    (at) =>
      createClient(at).reports.editBlock({
        meetingId: 'm',
        templateId: 't',
        entityName: 'e',
        newSummaryText: '',
      }),
  ],
  ['templates.list', (at) => createClient(at).templates.list()],
  [
    'meetings.search',
    async (at) => {
      for await (const page of createClient(at).meetings.search()) if (page.page > 3) return;
    },
  ],
  ['tags.list', (at) => createClient(at).tags.list()],
  ['tags.create', (at) => createClient(at).tags.create({ name: 'n' })],
  ['tags.attach', (at) => createClient(at).tags.attach({ meetingId: 'm', tagId: 't' })],
  ['tags.detach', (at) => createClient(at).tags.detach({ meetingId: 'm', tagId: 't' })],
  [
    'exports.stream',
    async (at) => buffer((await createClient(at).exports.stream({ meetingId: 'm', format: 'pdf' })).stream),
  ],
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tolerance-'));
});
afterAll(() => rm(folder, { recursive: true }));

function answering(body: string, type: string, status: number): Connection {
  return makeConnection('http://127.0.0.1:9', {
    fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
  });
}

/** The code of the `ServiceError`, or `fine`. */
async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'fine';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

describe('whatever the service answers', () => {
  it.each(methods)('%s reads a success, or says that it cannot', async (_name, call) => {
    await fc.assert(
      fc.asyncProperty(bodies, types, fc.constantFrom(200, 201, 202), async (body, type, status) => {
        const known = [
          'fine',
          'unreadable',
          'unexpected_status',
          'ambiguous',
          ...(status === 202 ? ['not_ready'] : []),
        ];
        expect(known).toContain(await outcomeOf(call(answering(body, type, status))));
      }),
      { numRuns: 60 },
    );
  });

  it.each(methods)('%s takes no web page for a success', async (name, call) => {
    const writes = ['recordings.start', 'reports.generate', 'tags.create'];
    const code = writes.includes(name) ? 'ambiguous' : 'unreadable';
    const pages = [
      ['<html>maintenance</html>', 'application/json'],
      ['\n <!DOCTYPE html>', ''],
      ['Sign in <a href="/">here</a>', 'text/html; charset=utf-8'],
      ['Back soon<br/>', ' Application/XHTML+xml'],
    ] as const;
    for (const [body, type] of pages) {
      expect(await outcomeOf(call(answering(body, type, 200)))).toBe(
        name === 'exports.stream' ? 'unreadable' : code,
      );
    }
  });

  it('a text that is announced as HTML, as many servers do, is no page', async () => {
    for (const body of ['ok', 'it took 1 < 2 s', '{"html":"<p>"}', '']) {
      const recordings = createClient(answering(body, 'text/html; charset=utf-8', 200)).recordings;
      expect(await outcomeOf(recordings.stop('m'))).toBe('fine');
    }
    const recordings = createClient(answering('processed', 'text/html', 200)).recordings;
    expect(await recordings.status('m')).toEqual({ phase: 'ready', status: 'processed' });
  });

  it.each(methods)('%s throws nothing but a ServiceError for another status', async (_name, call) => {
    await fc.assert(
      fc.asyncProperty(bodies, types, fc.integer({ min: 300, max: 599 }), async (body, type, status) => {
        const connection = answering('', type, 200);
        const response = Object.defineProperties(new Response(body), {
          status: { value: status },
          ok: { value: false },
        });
        const outcome = await outcomeOf(call({ ...connection, fetch: async () => response }));
        expect(outcome).not.toBe('fine');
      }),
      { numRuns: 20 },
    );
  });

  it('exports.download leaves either a file or nothing', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, types, filenames, async (body, type, filename) => {
        const headers = { 'content-type': type, 'content-disposition': encodeURI(filename) };
        const connection = makeConnection('http://127.0.0.1:9', {
          fetch: async () => new Response(body, { headers }),
        });
        const input = { meetingId: filename, format: 'md' } as const;
        const outcome = await outcomeOf(
          createClient(connection).exports.download(input, folder, { overwrite: true }),
        );
        expect(['fine', 'unreadable']).toContain(outcome);
        const left = await readdir(folder);
        expect(left).toHaveLength(outcome === 'fine' ? 1 : 0);
        await Promise.all(left.map((name) => rm(join(folder, name))));
      }),
      { numRuns: 60 },
    );
  });
});
