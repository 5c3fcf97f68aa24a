import { readList, readParts, readText, type Parts } from '../../web/read-parts.ts';
import { isRefusal, refuseNotionBody, refuseUnplayed, type NotionRefusal } from '../notion-refusal.ts';
import { readPlainText } from '../notion-text.ts';
import { botUser } from '../notion-users.ts';
import { readValue } from '../pages/describe-page.ts';
import type { NotionPage } from '../pages/notion-page.ts';
import { findProperty, type DataSource } from '../sources/data-source.ts';
import type { PropertyType } from '../sources/property-types.ts';
import { matchCondition, readCondition, type Comparison } from './match-condition.ts';

export type PageTest = (page: NotionPage) => boolean;

const comparisons: Readonly<Record<PropertyType, Comparison>> = {
  title: 'text',
  rich_text: 'text',
  number: 'number',
  select: 'items',
  status: 'items',
  multi_select: 'items',
  date: 'date',
  checkbox: 'checkbox',
  url: 'text',
  email: 'text',
  phone_number: 'text',
  people: 'items',
  relation: 'items',
  files: 'items',
  created_time: 'date',
  created_by: 'items',
  last_edited_time: 'date',
  last_edited_by: 'items',
  unique_id: 'number',
};

/** Reads a filter whose shape is right: https://developers.notion.com/reference/filter-data-source-entries */
export function readFilter(source: DataSource, filter: Parts, nowMs: number): PageTest | NotionRefusal {
  if (filter['and'] !== undefined) return readGroup(source, filter['and'], nowMs, 'every');
  if (filter['or'] !== undefined) return readGroup(source, filter['or'], nowMs, 'some');
  const { timestamp } = filter;
  if (timestamp === 'created_time' || timestamp === 'last_edited_time') {
    const condition = readCondition(readParts(filter[timestamp]));
    return (page) =>
      matchCondition(
        'date',
        timestamp === 'created_time' ? page.createdTime : page.lastEditedTime,
        condition,
        nowMs,
      );
  }
  return readPropertyFilter(source, filter, nowMs);
}

function readGroup(
  source: DataSource,
  filters: unknown,
  nowMs: number,
  how: 'every' | 'some',
): PageTest | NotionRefusal {
  const tests: PageTest[] = [];
  for (const filter of readList(filters)) {
    const test = readFilter(source, filter, nowMs);
    if (isRefusal(test)) return test;
    tests.push(test);
  }
  return (page) => tests[how]((test) => test(page));
}

function readPropertyFilter(source: DataSource, filter: Parts, nowMs: number): PageTest | NotionRefusal {
  const asked = readText(filter['property']);
  const property = findProperty(source, asked);
  if (property === undefined) return refuseNotionBody(`Could not find property with name or id: ${asked}`);
  const kind = Object.keys(filter).find((key) => key !== 'property' && key !== 'type') ?? '';
  if (kind !== property.type) {
    return kind === 'formula' || kind === 'rollup' || kind === 'verification'
      ? refuseUnplayed(`filters on a ${kind}`)
      : refuseNotionBody(
          `The property type in the database does not match the property type of the filter provided: database property ${property.type} does not match filter ${kind}`,
        );
  }
  const { operator, operand } = readCondition(readParts(filter[kind]));
  const condition = { operator, operand: operand === 'me' ? botUser.id : operand };
  const comparison = comparisons[property.type];
  return (page) => {
    const value = readValue(page, property);
    return matchCondition(comparison, simplify(property.type, value), condition, nowMs);
  };
}

/** What of a value is compared. */
export function simplify(type: PropertyType, value: unknown): unknown {
  if (type === 'title' || type === 'rich_text') return readPlainText(value);
  return type === 'unique_id' ? readParts(value)['number'] : value;
}
