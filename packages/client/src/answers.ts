import type { FoundMeeting, List, SearchPage, Tag, Template } from './client.ts';
import { asFields, asId, asList, asText, firstText, readFirst } from './loose.ts';
import { readMoment } from './report/times.ts';

/** JSON if it is JSON, whatever the content type says; else its text, or undefined if it is empty. */
export function parseAnswer(text: string, headers: Headers): unknown {
  if (text.trim() === '') return undefined;
  const type = headers.get('content-type') ?? '';
  if (!/json/i.test(type) && !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Announced as JSON, or looking like it, and not JSON.
    return text;
  }
}

/**
 * Whether an answer was made for a browser: the page of a proxy, of a login, or of a maintenance. The type alone does
 * not say so: many servers announce every text as HTML.
 */
export function isWebPage(body: unknown, contentType: string | null): boolean {
  if (typeof body !== 'string') return false;
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '');
  return /^\s*</.test(body) || (isHtml && /<[a-z/!]/i.test(body));
}

/** Letters and digits, both among them: no word and no date is taken for an id. */
const bareIdPattern = /^"?((?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{8,128})"?$/i;

/** The id of a meeting from the answer to its start. Where it stands is not shown: it may be all there is. */
export function readStartedId(body: unknown): string | undefined {
  if (typeof body === 'string') return bareIdPattern.exec(body.trim())?.[1];
  const outer = asFields(body) ?? {};
  const places = [outer, ...['data', 'meeting', 'result'].map((name) => asFields(outer[name]) ?? {})];
  const ids = ['meeting_id', 'meetingId', 'id'].flatMap((name) => places.map((place) => asId(place[name])));
  return ids.find((id) => id !== undefined);
}

/** The id of the template that a generation made, as `templateId` of an edit. */
export function readCreatedId(body: unknown): string | undefined {
  const outer = asFields(body) ?? {};
  const places = [outer, asFields(outer['data']) ?? {}];
  return places
    .map((place) => readFirst(place, ['created_template_id', 'createdTemplateId'], asId))
    .find((id) => id !== undefined);
}

/** Undefined for what has no id. */
export function readTag(raw: unknown): Tag | undefined {
  const fields = asFields(raw) ?? {};
  const id = readFirst(fields, ['id', 'tag_id', 'tagId'], asId);
  if (id === undefined) return undefined;
  const color = firstText(fields, 'color', 'colour');
  return {
    id,
    name: firstText(fields, 'name', 'title') ?? '',
    ...(color === undefined ? {} : { color }),
    raw,
  };
}

/** The tag that a creation answers, with or without a wrapper; undefined where the answer names none. */
export function readCreatedTag(body: unknown): Tag | undefined {
  const { tag, data } = asFields(body) ?? {};
  return [tag, data, body].map(readTag).find((found) => found !== undefined);
}

const templateListNames = ['templates', 'custom_templates', 'customTemplates', 'items', 'results'] as const;

/** Undefined when the answer holds no list of templates; its shape is not shown, so names are taken as they come. */
export function readTemplateList(body: unknown): List<Template> | undefined {
  const listed = findList(body, templateListNames);
  if (listed === undefined) return undefined;
  const items = listed.map(readTemplate).filter((template) => template !== undefined);
  const total = readTotal(body);
  const warnings = [...warnOfUnread(listed.length - items.length), ...warnOfMissing(listed.length, total)];
  return { items, total, warnings, raw: body };
}

function readTemplate(raw: unknown): Template | undefined {
  const fields = asFields(raw) ?? {};
  const id = readFirst(fields, ['id', 'template_id', 'templateId', 'uuid'], asId);
  if (id === undefined) return undefined;
  return { id, name: firstText(fields, 'name', 'template_name', 'title') ?? 'Untitled', raw };
}

/** Entries of a list without an id that can be used. */
export function warnOfUnread(count: number): readonly string[] {
  if (count === 0) return [];
  return [`${count === 1 ? 'one entry' : `${count} entries`} of the list could not be read`];
}

/** A list that is over before the total that the service names. */
export function warnOfMissing(listed: number, total: number | undefined): readonly string[] {
  return total === undefined || listed >= total
    ? []
    : [`the service counts ${total} entries and lists ${listed}`];
}

export interface ReadPage {
  readonly found: SearchPage;
  /** The entries of the answer, those that could not be read included. */
  readonly listed: number;
}

const meetingListNames = ['followups', 'meetings', 'results', 'items'] as const;
const dateNames = ['date', 'local_date_time', 'started_at', 'startedAt', 'start_time', 'created_at'] as const;

/** Undefined when the answer holds no list of meetings. */
export function readSearchPage(body: unknown, page: number): ReadPage | undefined {
  const total = readTotal(body);
  const listed = findList(body, meetingListNames) ?? (total === 0 ? [] : undefined);
  if (listed === undefined) return undefined;
  const items = listed.map(readMeeting).filter((meeting) => meeting !== undefined);
  const warnings = warnOfUnread(listed.length - items.length);
  return { found: { page, items, total, warnings, raw: body }, listed: listed.length };
}

/** How many entries all pages have, where the answer says it. */
export function readTotal(body: unknown): number | undefined {
  const fields = asFields(body) ?? {};
  const texts = [fields, asFields(fields['data']) ?? {}].map((at) => firstText(at, 'total', 'totalCount'));
  const total = Number(texts.find((text) => text !== undefined) ?? Number.NaN);
  return Number.isSafeInteger(total) && total >= 0 ? total : undefined;
}

function readMeeting(raw: unknown): FoundMeeting | undefined {
  const fields = asFields(raw) ?? {};
  const id = readFirst(fields, ['id', 'meeting_id', 'meetingId'], asId);
  if (id === undefined) return undefined;
  const startedAt = dateNames.map((name) => readMoment(fields[name])).find((moment) => moment !== undefined);
  const source = firstText(fields, 'source');
  return {
    id,
    title: firstText(fields, 'name', 'title') ?? 'Untitled meeting',
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(source === undefined ? {} : { source }),
    tags: asList(fields['tags']).flatMap(readTagName),
    raw,
  };
}

function readTagName(tag: unknown): string[] {
  const name = asText(tag) ?? firstText(asFields(tag) ?? {}, 'name', 'id');
  return name === undefined ? [] : [name];
}

const wrapperNames = ['data', 'result', 'response'] as const;
const MAX_DEPTH = 2;

/**
 * The list in an answer: the answer itself, one of the named fields, the same within a wrapper, or the only
 * list of objects there is. Nothing at all, an empty object and a named field that is null are an empty list. Undefined
 * when the answer holds none: the page of a proxy must not look like an empty account.
 */
export function findList(body: unknown, names: readonly string[], depth = 0): readonly unknown[] | undefined {
  if (body === undefined || body === null) return [];
  if (Array.isArray(body)) return body;
  const fields = asFields(body);
  if (fields === undefined) return undefined;
  if (Object.keys(fields).length === 0) return [];
  for (const name of names) {
    const list = fields[name];
    if (Array.isArray(list)) return list;
    if (list === null) return [];
  }
  for (const name of [...wrapperNames, ...names]) {
    const inner = depth < MAX_DEPTH && name in fields ? findList(fields[name], names, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  const others = Object.entries(fields).filter(([name, value]) => isListOfThings(name, value));
  return others.length === 1 ? asList(others[0]?.[1]) : undefined;
}

/** Of a list under an unknown name more is asked: a list of errors must not pass for what was asked for. */
function isListOfThings(name: string, value: unknown): boolean {
  const items = asList(value);
  return (
    items.length > 0 && !/err|warn|mess/i.test(name) && items.every((item) => asFields(item) !== undefined)
  );
}
