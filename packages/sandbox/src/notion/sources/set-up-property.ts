import { readParts, readText, type Parts } from '../../web/read-parts.ts';
import { readNotionId } from '../notion-ids.ts';
import { refuseUnknown, refuseUnplayed, type NotionRefusal } from '../notion-refusal.ts';
import { listOptions, readOptions } from './property-options.ts';
import type { PropertyType } from './property-types.ts';

export interface SetUpTools {
  readonly makeId: () => string;
  /** The id of the database that a data source is in. */
  readonly findDatabaseId: (dataSourceId: string) => string | undefined;
}

/** The choices of a status property that names none (as Notion sets one up). */
const usualStatuses = [
  { name: 'Not started', color: 'default' },
  { name: 'In progress', color: 'blue' },
  { name: 'Done', color: 'green' },
];

/** What answers tell about a property of this type, from what a request says about it. `known` is how it stood before. */
export function setUpProperty(
  type: PropertyType,
  given: Parts,
  known: Parts,
  tools: SetUpTools,
): Parts | NotionRefusal {
  const kind: string = type;
  switch (kind) {
    case 'number':
      return { format: given['format'] ?? known['format'] ?? 'number' };
    case 'select':
    case 'multi_select':
      return given['options'] === undefined
        ? { options: listOptions(known) }
        : { options: readOptions(given['options'], listOptions(known), tools.makeId) };
    case 'status':
      return setUpStatus(given, known, tools);
    case 'unique_id':
      return { prefix: given['prefix'] ?? null };
    case 'relation':
      return setUpRelation(given, tools);
    default:
      return {};
  }
}

/** New choices of a status stand in the first group, as at Notion. */
function setUpStatus(given: Parts, known: Parts, { makeId }: SetUpTools): Parts {
  const before = listOptions(known);
  const isNew = before.length === 0;
  const wanted = given['options'] ?? (isNew ? usualStatuses : before);
  const options = readOptions(wanted, before, makeId);
  const last = options.length - 1;
  const idsAt = (wants: (index: number) => boolean): readonly string[] =>
    options.filter((_option, index) => wants(index)).map(({ id }) => id);
  const groups = [
    { name: 'To-do', color: 'gray', option_ids: idsAt((index) => index === 0 && last > 0) },
    { name: 'In progress', color: 'blue', option_ids: idsAt((index) => index > 0 && index < last) },
    { name: 'Complete', color: 'green', option_ids: idsAt((index) => index === last) },
  ];
  return { options, groups: groups.map((group) => ({ id: makeId(), ...group })) };
}

function setUpRelation(given: Parts, { findDatabaseId }: SetUpTools): Parts | NotionRefusal {
  if (given['dual_property'] !== undefined) return refuseUnplayed('relations that show on both sides');
  const asked = readText(given['data_source_id']);
  const id = readNotionId(asked) ?? asked;
  const databaseId = findDatabaseId(id);
  if (databaseId === undefined) return refuseUnknown('data source', asked);
  return {
    data_source_id: id,
    database_id: databaseId,
    type: 'single_property',
    single_property: readParts(given['single_property']),
  };
}
