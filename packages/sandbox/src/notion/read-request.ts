import type { Call } from '../stand-ins/create-stand-in-app.ts';
import { readParts, type Parts } from '../web/read-parts.ts';
import { checkAddresses } from './check-addresses.ts';
import { readNotionId } from './notion-ids.ts';
import { isRefusal, refuseMismatches, type NotionRefusal } from './notion-refusal.ts';
import type { NotionRequest } from './notion-route.ts';
import type { FoundRoute } from './routes/find-route.ts';
import { checkShape } from './schema/check-shape.ts';
import { checkSize } from './schema/check-size.ts';
import type { Mismatch } from './schema/describe-mismatch.ts';

/** With this version and later `archived` is called `in_trash` alone, and `after` is `position`. */
const renamingVersion = '2026-03-11';

/** Reads the path, the query and the body of a call, and refuses what Notion refuses before it looks at what they mean. */
export async function readRequest(call: Call, found: FoundRoute): Promise<NotionRequest | NotionRefusal> {
  const ids = readIds(found.given);
  if (isRefusal(ids)) return ids;
  const query = readQuery(call.query, found.route.query ?? []);
  if (isRefusal(query)) return query;
  const { definition } = found.route;
  const body = readParts(call.body);
  const request = { ids, query, body, origin: `http://${call.header('host') ?? ''}` };
  if (definition === undefined) return request;
  const refusal =
    checkBodyKind(call.body) ??
    checkNames(body, [...Object.keys(ids), ...listRenamed(call), ...(found.route.query ?? [])]) ??
    (await checkShape(definition, { ...body, ...ids })) ??
    checkSize(body) ??
    checkPageSize(body, 'body') ??
    checkAddresses(body);
  return refusal ?? request;
}

function readIds(given: FoundRoute['given']): Readonly<Record<string, string>> | NotionRefusal {
  const ids = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const id = readNotionId(value);
    if (id === undefined) {
      return refuseMismatches([{ path: `path.${name}`, expected: ['a valid uuid'], value }], 'path');
    }
    ids.set(name, id);
  }
  return Object.fromEntries(ids);
}

function readQuery(given: Parts, names: readonly string[]): Parts | NotionRefusal {
  const other = Object.keys(given).find((name) => !names.includes(name));
  if (other !== undefined) {
    return refuseMismatches(
      [{ path: `query.${other}`, expected: ['not present'], value: given[other] }],
      'query',
    );
  }
  const size = given['page_size'];
  const query = { ...given, ...(size === undefined ? {} : { page_size: Number(size) }) };
  return checkPageSize(query, 'query') ?? query;
}

/** https://developers.notion.com/reference/intro#pagination */
function checkPageSize({ page_size: size }: Parts, part: string): NotionRefusal | undefined {
  if (size === undefined) return undefined;
  const refuse = (expected: string): NotionRefusal => {
    const mismatch: Mismatch = {
      path: `${part}.page_size`,
      expected: [expected, '`undefined`'],
      value: size,
    };
    return refuseMismatches([mismatch], part);
  };
  if (typeof size !== 'number' || !Number.isInteger(size)) return refuse('an integer');
  if (size < 1) return refuse('≥ `1`');
  return size > 100 ? refuse('≤ `100`') : undefined;
}

/** No body is an empty one. */
function checkBodyKind(body: unknown): NotionRefusal | undefined {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return body === undefined || isObject
    ? undefined
    : refuseMismatches([{ path: 'body', expected: ['an object'], value: body }]);
}

/** What belongs into the path, the query or another version is unknown in a body. */
function checkNames(body: Parts, names: readonly string[]): NotionRefusal | undefined {
  const name = names.find((key) => Object.hasOwn(body, key));
  return name === undefined
    ? undefined
    : refuseMismatches([{ path: `body.${name}`, expected: ['not present'], value: body[name] }]);
}

function listRenamed(call: Call): readonly string[] {
  return (call.header('notion-version') ?? '') >= renamingVersion ? ['archived', 'after'] : [];
}
