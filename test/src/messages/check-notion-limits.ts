import { checkCharacters, checkLink } from './check-links.ts';
import { isObject, type JsonObject, listObjects, readText, walkJson } from './walk-json.ts';

/** Notion's documented limits of one request: https://developers.notion.com/reference/request-limits */
const notionLimits = {
  list: 100,
  blocks: 1000,
  bytes: 500_000,
  nesting: 2,
  text: 2000,
  url: 2000,
  option: 100,
} as const;

/** What Notion would reject in the body of a request, besides what its types forbid. */
export function checkNotionLimits(body: unknown): readonly string[] {
  const problems: string[] = [];
  const bytes = Buffer.byteLength(JSON.stringify(body ?? {}));
  problems.push(...atMost(bytes, notionLimits.bytes, 'bytes'));
  const children = isObject(body) ? listObjects(body['children']) : [];
  problems.push(...atMost(countBlocks(children), notionLimits.blocks, 'blocks'));
  problems.push(...atMost(measureNesting(children), notionLimits.nesting, 'levels of nested blocks'));
  for (const { pointer, name, value } of walkJson(body)) {
    if (Array.isArray(value)) problems.push(...atMost(value.length, notionLimits.list, pointer));
    if (typeof value === 'string') problems.push(...checkString(name, value, pointer));
    if (isObject(value)) problems.push(...checkPart(value, pointer));
  }
  return problems;
}

/** All blocks, nested ones included. */
function countBlocks(children: readonly JsonObject[]): number {
  return children.reduce((sum, block) => sum + 1 + countBlocks(childrenOf(block)), 0);
}

/** 0 if no block has children. */
function measureNesting(children: readonly JsonObject[]): number {
  return Math.max(
    0,
    ...children.map((block) => {
      const nested = childrenOf(block);
      return nested.length === 0 ? 0 : 1 + measureNesting(nested);
    }),
  );
}

function childrenOf(block: JsonObject): readonly JsonObject[] {
  const content = block[readText(block['type'])];
  return isObject(content) ? listObjects(content['children']) : [];
}

function checkString(name: string, value: string, pointer: string): readonly string[] {
  if (name === 'content') {
    return [...atMost(value.length, notionLimits.text, pointer), ...checkCharacters(value, pointer)];
  }
  if (name !== 'url') return [];
  return [
    ...atMost(value.length, notionLimits.url, pointer),
    ...checkLink(value).map((fault) => `${pointer}: ${fault}`),
  ];
}

/** Options that a select creates when it is set: https://developers.notion.com/reference/property-object#select */
function checkPart(part: JsonObject, pointer: string): readonly string[] {
  const options = [part['select'], ...listObjects(part['multi_select'])].filter(isObject);
  return options.flatMap((option) => {
    const name = readText(option['name']);
    const place = `${pointer}: an option`;
    return [
      ...atMost(name.length, notionLimits.option, place),
      ...checkCharacters(name, place),
      ...(name.includes(',') ? [`${place} with a comma`] : []),
      ...(option['id'] === undefined && name.trim() === '' ? [`${place} without a name`] : []),
    ];
  });
}

function atMost(found: number, max: number, what: string): readonly string[] {
  return found > max ? [`${what}: ${found}, at most ${max}`] : [];
}
