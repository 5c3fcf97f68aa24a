import { toObject, toObjects, type LooseObject } from '@aftermeet/pages';

import type { Call } from '../emulator.ts';
import { loadVendorSchema } from '../vendor-schema.ts';
import { isRefusal, refuseBody, refuseField, refuseUnsupported, type NotionRefusal } from './errors.ts';
import type { FoundRoute, NotionRequest } from './route.ts';
import { toNotionId } from './state.ts';

/** Parses a call and refuses what Notion refuses before it looks at the meaning. */
export async function parseRequest(
  call: Call,
  { route, idName, idText }: FoundRoute,
): Promise<NotionRequest | NotionRefusal> {
  const id = idText === undefined ? '' : toNotionId(idText);
  if (id === undefined) return refuseField(`path.${idName}`);
  const query = parseQuery(call.query, route.query ?? []);
  if (isRefusal(query)) return query;
  const body = toObject(call.body);
  const request = { id, query, body };
  const { definition } = route;
  if (definition === undefined) return request;
  const ids = idText === undefined ? {} : { [idName]: id };
  const isObject = typeof call.body === 'object' && call.body !== null && !Array.isArray(call.body);
  if (call.body !== undefined && !isObject) return refuseField('body');
  // Names that belong in the path, the query or another version are unknown in a body.
  const foreign = [...Object.keys(ids), ...listRenamed(call), ...(route.query ?? [])].find((key) =>
    Object.hasOwn(body, key),
  );
  if (foreign !== undefined) return refuseField(`body.${foreign}`);
  const refusal =
    (await checkSchema(definition, { ...body, ...ids })) ??
    checkSize(body) ??
    checkPageSize(body, 'body') ??
    checkLinks(body);
  return refusal ?? request;
}

function parseQuery(given: LooseObject, names: readonly string[]): LooseObject | NotionRefusal {
  const other = Object.keys(given).find((name) => !names.includes(name));
  if (other !== undefined) return refuseField(`query.${other}`);
  const size = given['page_size'];
  const query = { ...given, ...(size === undefined ? {} : { page_size: Number(size) }) };
  return checkPageSize(query, 'query') ?? query;
}

/** https://developers.notion.com/reference/intro#pagination */
function checkPageSize({ page_size: size }: LooseObject, part: string): NotionRefusal | undefined {
  const isRight = typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= 100;
  return size === undefined || isRight ? undefined : refuseField(`${part}.page_size`);
}

/** From this version on, `archived` is only `in_trash`, and `after` is `position`. */
const renamingVersion = '2026-03-11';

function listRenamed(call: Call): readonly string[] {
  return (call.header('notion-version') ?? '') >= renamingVersion ? ['archived', 'after'] : [];
}

/** Checks the arguments of a call against the SDK's type for them. */
/** A step of a JSON pointer (RFC 6901). */
function decodeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

async function checkSchema(definition: string, args: LooseObject): Promise<NotionRefusal | undefined> {
  const schema = await loadVendorSchema('notion');
  // Of a union every member has its problem. The one that the value means comes farthest, and is not about what is missing.
  const [nearest] = schema
    .check(definition, args)
    .map(({ pointer, params }) => {
      const steps = pointer.split('/').slice(1).map(decodeStep);
      const { missingProperty: missing, additionalProperty: added } = params;
      const name = [missing, added].filter((part) => typeof part === 'string');
      return { steps: [...steps, ...name], isMissing: missing !== undefined };
    })
    .toSorted(
      (one, other) =>
        other.steps.length - one.steps.length || Number(one.isMissing) - Number(other.isMissing),
    );
  if (nearest === undefined) return undefined;
  const path = nearest.steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`));
  return refuseField(`body${path.join('')}`);
}

/** https://developers.notion.com/reference/request-limits */
const maxItems = 100;
const maxBlocks = 1000;
const maxBodyBytes = 500_000;
/** Characters, by the name of the field. */
const maxTextLengths: ReadonlyMap<string, number> = new Map([
  ['content', 2000],
  ['url', 2000],
]);
/** https://developers.notion.com/reference/property-object (an option's name) */
const maxOptionLength = 100;
const optionName = /\.(?:select|status|multi_select(?:\[\d+\])?|options\[\d+\])\.name$/;

/** The documented limits of a body that fits the schema; its depth is part of the schema. */
function checkSize(body: LooseObject): NotionRefusal | undefined {
  if (Buffer.byteLength(JSON.stringify(body)) > maxBodyBytes) return refuseHuge();
  const tooLong = findTooLong(body, 'body', '');
  if (tooLong !== undefined) return refuseBody(`body failed validation: ${tooLong}.`);
  return countBlocks(body['children']) > maxBlocks
    ? refuseBody(`body failed validation: a request can hold ${String(maxBlocks)} blocks at most.`)
    : undefined;
}

/** Also for a body that was not read because of its size. */
export function refuseHuge(): NotionRefusal {
  return refuseBody(`body failed validation: a request can hold ${String(maxBodyBytes)} bytes at most.`);
}

/** What is too long, and how long it may be. */
function findTooLong(value: unknown, path: string, key: string): string | undefined {
  const check = (length: number, limit: number): string | undefined =>
    length > limit ? `${path}.length should be ≤ \`${String(limit)}\`` : undefined;
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

/** Refuses a link to anything but web and mail addresses; a URL property takes any text. */
function checkLinks(value: unknown, key = ''): NotionRefusal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (key === 'link' && 'url' in value && typeof value.url === 'string' && !isAddress(value.url)) {
    return refuseBody('Invalid URL for link.');
  }
  for (const [inner, part] of Object.entries(value)) {
    const refusal =
      inner === 'mention'
        ? refuseUnsupported('mentions')
        : checkLinks(part, Array.isArray(value) ? key : inner);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isAddress(text: string): boolean {
  return /^(?:https?:|mailto:)/i.test(text) && URL.canParse(text);
}
