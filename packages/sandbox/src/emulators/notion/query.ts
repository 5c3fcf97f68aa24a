import { toObject, toObjects, toText, type LooseObject } from '@aftermeet/pages';

import { isRefusal, refuseBody, refuseUnsupported, type NotionRefusal } from './errors.ts';
import { findProperty } from './property-values.ts';
import { toPlainText } from './rich-text.ts';
import { isInTrash, type DataSource, type NotionPage, type NotionState } from './state.ts';

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
  const found = [...state.pages.values()].filter(
    (page) => page.dataSourceId === source.id && !isInTrash(state, page.id) && filter(page),
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

/**
 * https://developers.notion.com/reference/filter-data-source-entries: the beginning of a text, or all of it. Whole texts
 * are compared exactly, parts of them without case (assumed: Notion does not say).
 */
function parseFilter(source: DataSource, filter: LooseObject): PageFilter | NotionRefusal {
  const asked = toText(filter['property']);
  const property = findProperty(source.properties, asked);
  const [operator = ''] = Object.keys(toObject(filter['rich_text']));
  if (asked === '' || !['equals', 'starts_with'].includes(operator)) {
    return refuseUnsupported('filters but `equals` and `starts_with` on a rich_text');
  }
  if (property === undefined) return refuseBody(`Could not find property with name or id: ${asked}`);
  const { name, type } = property;
  if (type !== 'rich_text') {
    return refuseBody(`The property ${name} is of type ${type}, and the filter of type rich_text.`);
  }
  const operand = toText(toObject(filter['rich_text'])[operator]);
  return ({ properties }) => {
    const text = toPlainText(properties[name]?.value);
    return operator === 'equals' ? text === operand : text.toLowerCase().startsWith(operand.toLowerCase());
  };
}
