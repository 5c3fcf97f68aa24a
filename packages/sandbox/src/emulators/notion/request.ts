import { toObject, toObjects, type LooseObject } from '@aftermeet/pages';

import type { Call } from '../emulator.ts';
import { loadVendorDefinitions } from '../vendor-schema.ts';
import { isRefusal, refuseBody, refuseUnsupported, type NotionRefusal } from './errors.ts';
import type { FoundRoute, NotionRequest } from './route.ts';
import { findMismatches, refuseMismatches, type Mismatch, type SchemaNode } from './schema-mismatches.ts';
import { toNotionId } from './state.ts';

/** Parses a call and refuses what Notion refuses before it looks at the meaning. */
export async function parseRequest(
  call: Call,
  { route, idName, idText }: FoundRoute,
): Promise<NotionRequest | NotionRefusal> {
  const id = idText === undefined ? '' : toNotionId(idText);
  if (id === undefined) {
    const mismatch = { path: `path.${idName}`, expected: ['a valid uuid'], value: idText };
    return refuseMismatches([mismatch], 'path');
  }
  const query = parseQuery(call.query, route.query ?? []);
  if (isRefusal(query)) return query;
  const body = toObject(call.body);
  const request = { id, query, body };
  const { definition } = route;
  if (definition === undefined) return request;
  const ids = idText === undefined ? {} : { [idName]: id };
  const refusal =
    checkIsObject(call.body) ??
    checkAbsent(body, [...Object.keys(ids), ...listRenamed(call), ...(route.query ?? [])]) ??
    (await checkSchema(definition, { ...body, ...ids })) ??
    checkSize(body) ??
    checkPageSize(body, 'body') ??
    checkAddresses(body) ??
    checkSupported(body);
  return refusal ?? request;
}

function parseQuery(given: LooseObject, names: readonly string[]): LooseObject | NotionRefusal {
  const other = Object.keys(given).find((name) => !names.includes(name));
  if (other !== undefined) {
    const mismatch = { path: `query.${other}`, expected: ['not present'], value: given[other] };
    return refuseMismatches([mismatch], 'query');
  }
  const size = given['page_size'];
  const query = { ...given, ...(size === undefined ? {} : { page_size: Number(size) }) };
  return checkPageSize(query, 'query') ?? query;
}

/** https://developers.notion.com/reference/intro#pagination */
function checkPageSize({ page_size: size }: LooseObject, part: string): NotionRefusal | undefined {
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

/** No body counts as an empty one. */
function checkIsObject(body: unknown): NotionRefusal | undefined {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return body === undefined || isObject
    ? undefined
    : refuseMismatches([{ path: 'body', expected: ['an object'], value: body }]);
}

/** Names that belong in the path, the query or another version are unknown in a body. */
function checkAbsent(body: LooseObject, names: readonly string[]): NotionRefusal | undefined {
  const name = names.find((key) => Object.hasOwn(body, key));
  return name === undefined
    ? undefined
    : refuseMismatches([{ path: `body.${name}`, expected: ['not present'], value: body[name] }]);
}

/** From this version on, `archived` is only `in_trash`, and `after` is `position`. */
const renamingVersion = '2026-03-11';

function listRenamed(call: Call): readonly string[] {
  return (call.header('notion-version') ?? '') >= renamingVersion ? ['archived', 'after'] : [];
}

/** Checks the arguments of a call against the SDK's type for them. */
async function checkSchema(definition: string, args: LooseObject): Promise<NotionRefusal | undefined> {
  const definitions = await loadVendorDefinitions('notion');
  const find = (name: string): SchemaNode => definitions[name] ?? {};
  const mismatches = findMismatches(find(definition), args, 'body', find);
  return mismatches.length === 0 ? undefined : refuseMismatches(mismatches);
}

/** https://developers.notion.com/reference/request-limits */
const maxItems = 100;
const maxBlocks = 1000;
const maxBodyBytes = 500_000;
/** Characters, by the name of the field. */
const maxTextLengths: ReadonlyMap<string, number> = new Map([
  ['content', 2000],
  ['url', 2000],
  ['expression', 1000],
  ['email', 200],
  ['phone_number', 200],
]);
/** https://developers.notion.com/reference/property-object (an option's name) */
const maxOptionLength = 100;
const optionName = /\.(?:select|status|multi_select(?:\[\d+\])?|options\[\d+\])\.name$/;

/** The documented limits of a body that fits the schema; its depth is part of the schema. */
function checkSize(body: LooseObject): NotionRefusal | undefined {
  if (Buffer.byteLength(JSON.stringify(body)) > maxBodyBytes) return refuseHuge();
  const tooLong = findTooLong(body, 'body', '');
  if (tooLong !== undefined) return refuseMismatches([tooLong]);
  return countBlocks(body['children']) > maxBlocks
    ? refuseBody(`body failed validation: a request can hold ${String(maxBlocks)} blocks at most.`)
    : undefined;
}

/** Also for a body that was not read because of its size. */
export function refuseHuge(): NotionRefusal {
  return refuseBody(`body failed validation: a request can hold ${String(maxBodyBytes)} bytes at most.`);
}

function findTooLong(value: unknown, path: string, key: string): Mismatch | undefined {
  const check = (length: number, limit: number): Mismatch | undefined =>
    length > limit
      ? { path: `${path}.length`, expected: [`≤ \`${String(limit)}\``], value: length }
      : undefined;
  if (typeof value === 'string') {
    return check(
      value.length,
      optionName.test(path) ? maxOptionLength : (maxTextLengths.get(key) ?? Infinity),
    );
  }
  if (Array.isArray(value) && value.length > maxItems) return check(value.length, maxItems);
  for (const [inner, part] of Object.entries(typeof value === 'object' && value !== null ? value : {})) {
    const place = Array.isArray(value) ? `${path}[${inner}]` : `${path}.${inner}`;
    const found = findTooLong(part, place, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Blocks of all levels; a block has its children in the field that is named after its type. */
function countBlocks(blocks: unknown): number {
  return toObjects(blocks).reduce((count, block) => {
    const inner = Object.values(block).map((content) => countBlocks(toObject(content)['children']));
    return inner.reduce((sum, number) => sum + number, count + 1);
  }, 0);
}

const mediaTypes: ReadonlySet<string> = new Set([
  'image',
  'video',
  'pdf',
  'file',
  'audio',
  'embed',
  'bookmark',
]);

/** Refuses invalid links, in Notion's words. Web and mail addresses are valid; a URL property takes any text. */
function checkAddresses(value: unknown, key = '', media = ''): NotionRefusal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('url' in value && typeof value.url === 'string' && !isAddress(value.url)) {
    if (key === 'link') return refuseBody('Invalid URL for link.');
    if (media !== '' && (key === media || key === 'external')) {
      return refuseBody(`Content creation Failed. Fix the following: \nInvalid ${media} url.`);
    }
  }
  for (const [inner, part] of Object.entries(value)) {
    const place = Array.isArray(value) ? key : inner;
    const refusal = checkAddresses(part, place, mediaTypes.has(inner) ? inner : media);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isAddress(text: string): boolean {
  return /^(?:https?:|mailto:)/i.test(text) && URL.canParse(text);
}

const unsupportedKeys: ReadonlyMap<string, string> = new Map([
  ['file_upload', 'file uploads'],
  ['mention', 'mentions'],
]);

function checkSupported(value: unknown): NotionRefusal | undefined {
  for (const [key, part] of Object.entries(typeof value === 'object' && value !== null ? value : {})) {
    const unsupported = unsupportedKeys.get(key);
    const refusal = unsupported === undefined ? checkSupported(part) : refuseUnsupported(unsupported);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
