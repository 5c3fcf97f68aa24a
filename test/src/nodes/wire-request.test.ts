import {
  buildRequest,
  formatProblem,
  listOperations,
  type Operation,
  type RequestResult,
} from '@aftermeet/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  buildWireRequest,
  type WireFields,
  type WireOperation,
  type WireRequest,
} from '../../../nodes/nodes/Aftermeet/wire/build-wire-request.ts';
import { wireOperations } from '../../../nodes/nodes/Aftermeet/wire/wire-operations.ts';
import { fieldSamples, hostile } from './support/field-samples.ts';

const wire: Readonly<Record<string, WireOperation>> = wireOperations;
const base = 'https://service.example';

/** What goes on the wire, or that nothing does. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly json: string | undefined;
  readonly form: readonly (readonly [string, string])[];
}

function seeContract(result: RequestResult): Seen | undefined {
  if (!result.ok) return undefined;
  const url = new URL(base + result.path);
  for (const [name, value] of result.query) url.searchParams.append(name, value);
  return {
    method: result.method,
    path: url.pathname,
    query: [...url.searchParams],
    json: result.json === undefined ? undefined : JSON.stringify(result.json),
    form: (result.form ?? []).flatMap((entry) =>
      'value' in entry ? [[entry.name, entry.value] as const] : [],
    ),
  };
}

function seeWire(result: WireRequest): Seen | undefined {
  if (!result.ok) return undefined;
  const url = new URL(base + result.path);
  return {
    method: result.method,
    path: url.pathname,
    query: [...url.searchParams],
    json: result.json === undefined ? undefined : JSON.stringify(result.json),
    form: result.form ?? [],
  };
}

function sendBoth(
  operation: Operation,
  input: WireFields,
): { contract: Seen | undefined; node: Seen | undefined } {
  const table = wire[operation.id];
  if (table === undefined) throw new Error(`The node's table lacks ${operation.id}`);
  return {
    // Values of all kinds on purpose.
    contract: seeContract(buildRequest(operation, input as never)),
    node: seeWire(buildWireRequest(table, input)),
  };
}

/** Rules across the fields of a form are the upload plan's (planUpload), and not the table's. */
const chunk = { chunk_total: 3, chunk_number: 1, file: Uint8Array.of(1) };

/** Inputs of an operation: mostly right, at times with a wrong field, without a required one, or with one it does not have. */
function inputs({ id, fields }: WireOperation): fc.Arbitrary<WireFields> {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([name, { rule, place }]) => {
      const { good, bad } = fieldSamples[rule];
      const right = fc.constantFrom(...good);
      const text = fc.string({ unit: 'binary' });
      const values = fc.oneof(
        { arbitrary: right, weight: 20 },
        {
          arbitrary:
            place === 'path'
              ? fc.constantFrom('a/b', 'a/../b', '..%5c', '..', '.', 'a?b#c', '%2F', 'a b', '{tag_id}', 'ü')
              : right,
          weight: 4,
        },
        { arbitrary: rule === 'text' || rule === 'any text' ? text : right, weight: 6 },
        { arbitrary: fc.constantFrom(...bad, ...hostile), weight: 1 },
      );
      return [
        name,
        id === 'uploads.chunk' && name in chunk ? fc.constant(chunk[name as keyof typeof chunk]) : values,
      ];
    }),
  );
  const required = Object.keys(fields).filter((name) => fields[name]?.required);
  return fc.oneof(
    { arbitrary: fc.record(shape, { requiredKeys: required }), weight: 20 },
    { arbitrary: fc.record(shape, { requiredKeys: [] }), weight: 3 },
    {
      arbitrary: fc
        .tuple(
          fc.record(shape, { requiredKeys: required }),
          fc.constantFrom('more', 'constructor', 'Title', ''),
          fc.constantFrom('x', undefined),
        )
        .map(([input, name, value]) => ({ ...input, [name]: value })),
      weight: 2,
    },
  );
}

describe.each(listOperations().map((operation) => ({ id: operation.id, operation })))(
  '$id',
  ({ id, operation }) => {
    const table = wire[id];
    if (table === undefined) throw new Error(`The node's table lacks ${id}`);

    it('goes on the wire as the contract would send it, or not at all where the contract refuses', () => {
      let sent = 0;
      fc.assert(
        fc.property(inputs(table), (input) => {
          const { contract, node } = sendBoth(operation, input);
          expect(node).toStrictEqual(contract);
          if (node !== undefined) sent += 1;
        }),
        { numRuns: 200 },
      );
      // Of a property that only ever sees refusals nothing is learned.
      expect(sent).toBeGreaterThan(50);
    });
  },
);

describe('a request of the nodes', () => {
  it('has its fields where they belong', () => {
    expect(
      buildWireRequest(wireOperations['recordings.start'], {
        link: 'https://meet.example/a?b=c',
        participants: ['a@example.com', 'b@example.com'],
        cron: ' 0  9 * * 1 ',
        title: undefined,
      }),
    ).toStrictEqual({
      ok: true,
      method: 'POST',
      path: '/api/record-meeting',
      json: {
        link: 'https://meet.example/a?b=c',
        cron: '0 9 * * 1',
        participants: 'a@example.com,b@example.com',
      },
    });
    expect(
      buildWireRequest(wireOperations['exports.download'], {
        meeting_id: 'm 1&x',
        format: 'md',
        include_tasks: false,
      }),
    ).toStrictEqual({
      ok: true,
      method: 'GET',
      path: '/api/storage/download?meeting_id=m+1%26x&format=md&include_tasks=false',
    });
    expect(
      buildWireRequest(wireOperations['tags.attach'], { meeting_id: 'a/..b', tag_id: 't?1' }),
    ).toStrictEqual({
      ok: true,
      method: 'PUT',
      path: '/api/workspaces/active/meetings/a%2F..b/tags/t%3F1',
    });
  });

  it('names every field that is wrong, with its rule, and never a value', () => {
    const problemsOf = (id: keyof typeof wireOperations, given: Record<string, unknown>): string[] => {
      const request = buildWireRequest(wireOperations[id], given);
      return request.ok ? [] : request.problems.map((problem) => formatProblem(problem));
    };
    expect(
      problemsOf('recordings.start', {
        link: 'https:example.com',
        local_date_time: '2026-02-29T12:00:00Z',
        cron: '0 9 30 2 *',
        participants: ['Ann'],
        webhook_secret: 'a secret of 15 ',
        titel: 'red',
      }),
    ).toStrictEqual([
      'titel is not known; expected title? (one of link, source, title, local_date_time, cron, template_name, participants, webhook_url, webhook_secret)',
      'link must be a web address that begins with http:// or https://; found text of length 17',
      'local_date_time must be an ISO 8601 date and time with a UTC offset such as 2026-07-07T12:00:00+03:00; found text of length 20',
      'cron must be a cron expression of five fields that can fire, such as 0 9 * * 1; found text of length 10',
      'participants must be e-mail addresses in ASCII, with commas between them; found a list of 1',
      'webhook_secret must be 16 to 128 characters; found text of length 15',
    ]);
    expect(problemsOf('exports.download', { format: 'odt', timezone: '+03:00' })).toStrictEqual([
      'meeting_id is missing: must be text that is not empty',
      'format must be one of its values: pdf, docx, md; found text of length 3',
      'timezone must be an IANA time-zone name such as Europe/Berlin; found text of length 6',
    ]);
    const rule = 'must be a value that is not . or .. and does not hold them between slashes';
    expect(problemsOf('tags.detach', { meeting_id: '..%2Fx', tag_id: 'a/.' })).toStrictEqual([
      `meeting_id ${rule}`,
      `tag_id ${rule}`,
    ]);
    expect(problemsOf('meetings.search', { perPage: 0, page: 1.5 })).toStrictEqual([
      'page must be a whole number of at least 0; found the number 1.5',
      'perPage must be a whole number of at least 1; found the number 0',
    ]);
  });
});
