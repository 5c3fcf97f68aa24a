import { readList, readParts, readText, type Parts } from '../../web/read-parts.ts';
import { readNamedFile } from '../blocks/read-content.ts';
import { nameTarget } from '../name-target.ts';
import { readNotionId } from '../notion-ids.ts';
import { isRefusal, refuseMismatches, refuseUnknown, type NotionRefusal } from '../notion-refusal.ts';
import { readNotionDate, readNotionText } from '../notion-text.ts';
import { describeUser } from '../notion-users.ts';
import type { NotionWorld } from '../notion-world.ts';
import type { SourceProperty } from '../sources/data-source.ts';
import { pickOption, pickOptions } from './pick-option.ts';

/** A value in the shape of answers, and the property as it is then: with the choices that were new. */
export interface PropertyReading {
  readonly value: unknown;
  readonly property: SourceProperty;
}

/** Reads the value that a request gives to a property, and whose shape is right. `path` is where it stands. */
export function readPropertyValue(
  world: NotionWorld,
  property: SourceProperty,
  sent: unknown,
  path: string,
): PropertyReading | NotionRefusal {
  const keep = (value: unknown): PropertyReading => ({ value, property });
  const typeName: string = property.type;
  switch (typeName) {
    case 'title':
    case 'rich_text':
      return keep(readNotionText(sent, (kind, id) => nameTarget(world, kind, id)));
    case 'select':
    case 'status':
      return sent === null ? keep(null) : pickOption(property, readParts(sent), world.makeId);
    case 'multi_select':
      return pickOptions(property, readList(sent), world.makeId);
    case 'date':
      return checkDate(sent, path) ?? keep(sent === null ? null : readNotionDate(sent));
    case 'people':
      return keepAll(readList(sent), (person) => readPerson(world, person), keep);
    case 'relation':
      return keepAll(readList(sent), (page) => readRelated(world, property, page), keep);
    case 'files':
      return keepAll(readList(sent), (file) => readNamedFile(world, file), keep);
    default:
      return keep(sent);
  }
}

function keepAll(
  items: readonly Parts[],
  read: (item: Parts) => object | NotionRefusal,
  keep: (value: unknown) => PropertyReading,
): PropertyReading | NotionRefusal {
  const values = items.map(read);
  return values.find(isRefusal) ?? keep(values);
}

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

function checkDate(sent: unknown, path: string): NotionRefusal | undefined {
  for (const key of ['start', 'end']) {
    const value = readParts(sent)[key];
    if (typeof value !== 'string' || (isoDate.test(value) && !Number.isNaN(Date.parse(value)))) continue;
    const expected = ['a valid ISO 8601 date string'];
    return refuseMismatches([{ path: `${path}.date.${key}`, expected, value }]);
  }
  return undefined;
}

function readPerson(world: NotionWorld, person: Parts): object | NotionRefusal {
  const asked = readText(person['id']);
  const id = readNotionId(asked);
  const user = world.users.find((known) => known.id === id);
  return user === undefined ? refuseUnknown('user', asked) : describeUser(user);
}

/** A page of the data source that the relation points into. */
function readRelated(world: NotionWorld, property: SourceProperty, page: Parts): object | NotionRefusal {
  const asked = readText(page['id']);
  const id = readNotionId(asked) ?? asked;
  const isThere = world.pages.get(id)?.dataSourceId === property.config['data_source_id'];
  return isThere ? { id } : refuseUnknown('page', asked);
}
