import { toObject, toObjects, toText, type LooseObject } from '@aftermeet/pages';

import { isRefusal, refuseBody, refuseUnsupported, type NotionRefusal } from './errors.ts';
import { findProperty } from './property-values.ts';
import { toPlainText } from './rich-text.ts';
import { isInTrash, type DataSource, type NotionPage, type NotionState, type PropertyType } from './state.ts';

/** The pages that a query finds, in its order. The query fits the schema. */
export function queryPages(
  state: NotionState,
  source: DataSource,
  body: LooseObject,
): readonly NotionPage[] | NotionRefusal {
  const known = ['filter', 'sorts', 'start_cursor', 'page_size'];
  const other = Object.keys(body).find((key) => !known.includes(key));
  if (other !== undefined) return refuseUnsupported(`data_sources.query with ${other}`);
  const filter = body['filter'] === undefined ? () => true : parseFilter(source, toObject(body['filter']));
  if (isRefusal(filter)) return filter;
  const isAscending = parseSorts(body['sorts']);
  if (isRefusal(isAscending)) return isAscending;
  const latestMs = state.clock() - state.queryLagMs();
  const found = [...state.pages.values()].filter(
    (page) =>
      page.dataSourceId === source.id &&
      !isInTrash(state, page.id) &&
      page.createdMs <= latestMs &&
      filter(page),
  );
  return isAscending ? found : found.toReversed();
}

/** Only sorting by the time of creation is supported; the default is the newest page first. */
function parseSorts(sorts: unknown): boolean | NotionRefusal {
  const [sort, ...others] = toObjects(sorts);
  if (sort === undefined) return false;
  if (others.length > 0 || sort['timestamp'] !== 'created_time') {
    return refuseUnsupported('sorting but by created_time');
  }
  return sort['direction'] === 'ascending';
}

type PageFilter = (page: NotionPage) => boolean;

const textTypes: readonly PropertyType[] = ['title', 'rich_text', 'url', 'email', 'phone_number'];

/** https://developers.notion.com/reference/filter-data-source-entries: `and`, `or`, and conditions on text. */
function parseFilter(source: DataSource, filter: LooseObject): PageFilter | NotionRefusal {
  if (filter['and'] !== undefined) return parseGroup(source, filter['and'], 'every');
  if (filter['or'] !== undefined) return parseGroup(source, filter['or'], 'some');
  if (filter['timestamp'] !== undefined) return refuseUnsupported('filters on a timestamp');
  const asked = toText(filter['property']);
  const property = findProperty(source.properties, asked);
  if (property === undefined) return refuseBody(`Could not find property with name or id: ${asked}`);
  const { name, type } = property;
  const filterType = Object.keys(filter).find((key) => key !== 'property' && key !== 'type') ?? '';
  if (filterType !== type) {
    return refuseBody(
      `The property type in the database does not match the property type of the filter provided: database property ${type} does not match filter ${filterType}`,
    );
  }
  if (!textTypes.includes(type)) return refuseUnsupported(`filters on a ${type}`);
  const [[operator, operand] = ['', '']] = Object.entries(toObject(filter[type]));
  return ({ properties }) => {
    const value = properties[name]?.value;
    return matches(Array.isArray(value) ? toPlainText(value) : toText(value), operator, toText(operand));
  };
}

function parseGroup(source: DataSource, filters: unknown, how: 'every' | 'some'): PageFilter | NotionRefusal {
  const parsed = toObjects(filters).map((filter) => parseFilter(source, filter));
  const refusal = parsed.find(isRefusal);
  if (refusal !== undefined) return refusal;
  const tests = parsed.filter((test) => typeof test === 'function');
  return (page) => tests[how]((test) => test(page));
}

/** Whole texts are compared exactly, parts of them without case (assumed: Notion does not say). */
function matches(text: string, operator: string, wanted: string): boolean {
  const [lower, part] = [text.toLowerCase(), wanted.toLowerCase()];
  switch (operator) {
    case 'is_empty':
      return text === '';
    case 'is_not_empty':
      return text !== '';
    case 'equals':
      return text === wanted;
    case 'does_not_equal':
      return text !== wanted;
    case 'contains':
      return lower.includes(part);
    case 'does_not_contain':
      return !lower.includes(part);
    case 'starts_with':
      return lower.startsWith(part);
    default:
      return lower.endsWith(part);
  }
}
