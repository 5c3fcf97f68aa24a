import { readList, readParts, readText } from '../../web/read-parts.ts';
import { refuseNotionBody, type NotionRefusal } from '../notion-refusal.ts';
import type { NotionWorld } from '../notion-world.ts';
import { readValue } from '../pages/describe-page.ts';
import type { NotionPage } from '../pages/notion-page.ts';
import { findProperty, type DataSource, type SourceProperty } from '../sources/data-source.ts';
import { listOptions } from '../sources/property-options.ts';
import { simplify } from './read-filter.ts';

type Key = string | number | undefined;
type ReadKey = (page: NotionPage) => Key;

/** Sorts by what a request names, the first first; pages that have nothing there come last. Without, the newest is first. */
export function sortPages(
  world: NotionWorld,
  source: DataSource,
  pages: readonly NotionPage[],
  sorts: unknown,
): readonly NotionPage[] | NotionRefusal {
  const orders: { readonly readKey: ReadKey; readonly sign: number }[] = [];
  for (const sort of readList(sorts)) {
    const asked = readText(sort['property']);
    const property = findProperty(source, asked);
    if (sort['timestamp'] === undefined && property === undefined) {
      return refuseNotionBody(`Could not find sort property with name or id: ${asked}`);
    }
    const byTime =
      sort['timestamp'] === 'last_edited_time' ? rankOf(world.edits) : rankOf(world.pages.keys());
    const readKey: ReadKey =
      property === undefined ? ({ id }) => byTime.get(id) : (page) => readSortKey(property, page);
    orders.push({ readKey, sign: sort['direction'] === 'descending' ? -1 : 1 });
  }
  return pages.toReversed().toSorted((one, other) => {
    for (const { readKey, sign } of orders) {
      const order = compareKeys(readKey(one), readKey(other), sign);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** The order in which things happened: minutes are too coarse for it. */
function rankOf(ids: Iterable<string>): ReadonlyMap<string, number> {
  return new Map([...ids].map((id, index) => [id, index]));
}

function compareKeys(one: Key, other: Key, sign: number): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  if (one === other) return 0;
  return one < other ? -sign : sign;
}

function readSortKey(property: SourceProperty, page: NotionPage): Key {
  const value = simplify(property.type, readValue(page, property));
  const kind: string = property.type;
  switch (kind) {
    case 'date': {
      const startMs = Date.parse(readText(readParts(value)['start']));
      return Number.isNaN(startMs) ? undefined : startMs;
    }
    case 'checkbox':
      return Number(value);
    case 'select':
    case 'status': {
      const index = listOptions(property.config).findIndex(({ id }) => id === readParts(value)['id']);
      return index === -1 ? undefined : index;
    }
    default:
      return readPlainKey(value);
  }
}

/** By letters, or by the name of the first of several. */
function readPlainKey(value: unknown): Key {
  if (typeof value === 'number') return value;
  const [first] = Array.isArray(value) ? readList(value) : [readParts(value)];
  const text = typeof value === 'string' ? value : readText(first?.['name'] ?? first?.['id']);
  return text === '' ? undefined : text.toLowerCase();
}
