import { readList, readText, type Parts } from '../../web/read-parts.ts';
import { matchDate } from './match-date.ts';

/** One condition of a filter, such as `{contains: 'x'}`, on a value in the shape of answers. */
export interface Condition {
  readonly operator: string;
  readonly operand: unknown;
}

/** The condition that a filter names; the shape is right, so it is one. */
export function readCondition(parts: Parts): Condition {
  const [[operator, operand] = ['', undefined]] = Object.entries(parts);
  return { operator, operand };
}

/** How a property's value is compared: by its letters, as a number, by the names or ids of what it holds, as a date. */
export type Comparison = 'text' | 'number' | 'checkbox' | 'items' | 'date';

/** `nowMs` is what `today` and the like go by, in Unix milliseconds. */
export function matchCondition(
  comparison: Comparison,
  value: unknown,
  { operator, operand }: Condition,
  nowMs: number,
): boolean {
  if (operator === 'is_empty') return isEmpty(comparison, value);
  if (operator === 'is_not_empty') return !isEmpty(comparison, value);
  switch (comparison) {
    case 'text':
      return matchText(readText(value), operator, readText(operand));
    case 'number':
      return matchNumber(value, operator, Number(operand));
    case 'checkbox':
      return (value === operand) === (operator === 'equals');
    case 'items':
      return matchItems(value, operator, operand);
    case 'date':
      return matchDate(value, operator, operand, nowMs);
    default:
      return comparison satisfies never;
  }
}

function isEmpty(comparison: Comparison, value: unknown): boolean {
  if (comparison === 'items') return readNames(value).length === 0;
  return value === null || value === undefined || value === '';
}

/** Whole texts are compared letter by letter, parts of them without regard to case (assumed: Notion does not say). */
function matchText(text: string, operator: string, wanted: string): boolean {
  const [low, part] = [text.toLowerCase(), wanted.toLowerCase()];
  switch (operator) {
    case 'equals':
      return text === wanted;
    case 'does_not_equal':
      return text !== wanted;
    case 'contains':
      return low.includes(part);
    case 'does_not_contain':
      return !low.includes(part);
    case 'starts_with':
      return low.startsWith(part);
    default:
      return low.endsWith(part);
  }
}

function matchNumber(value: unknown, operator: string, wanted: number): boolean {
  if (operator === 'does_not_equal') return value !== wanted;
  if (typeof value !== 'number') return false;
  switch (operator) {
    case 'equals':
      return value === wanted;
    case 'greater_than':
      return value > wanted;
    case 'less_than':
      return value < wanted;
    case 'greater_than_or_equal_to':
      return value >= wanted;
    default:
      return value <= wanted;
  }
}

/** Of several that are wanted, one is enough. */
function matchItems(value: unknown, operator: string, operand: unknown): boolean {
  const names = readNames(value);
  const wanted: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const isThere = wanted.some((name) => names.includes(readText(name)));
  return operator.startsWith('does_not') ? !isThere : isThere;
}

/** The names and ids of one choice, or of everything in a list. */
function readNames(value: unknown): readonly string[] {
  const items = readList(Array.isArray(value) ? value : value === null ? [] : [value]);
  return items.flatMap(({ id, name }) => [id, name].map(readText)).filter((text) => text !== '');
}
