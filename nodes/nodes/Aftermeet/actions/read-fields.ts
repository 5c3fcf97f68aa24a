import { isFields } from '@aftermeet/client/pure';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { WireFields } from '../wire/build-wire-request.ts';
import type { WireField } from '../wire/wire-operation.ts';
import { wireOperations } from '../wire/wire-operations.ts';
import type { OperationDescription } from './node-operation.ts';
import { readDay } from './read-day.ts';

/** The fields of an operation from its parameters for one item; what is empty is left out. */
export function readFields(
  context: IExecuteFunctions,
  itemIndex: number,
  { sends, parameters }: OperationDescription,
): WireFields {
  if (sends === undefined) return {};
  const fields: Readonly<Record<string, WireField>> = wireOperations[sends].fields;
  return Object.fromEntries(
    Object.entries(parameters)
      .map(([name, parameter]) => [
        name,
        readField(readParameter(context, itemIndex, parameter), fields[name], context.getTimezone()),
      ])
      .filter(([, value]) => value !== undefined),
  );
}

/**
 * `options.title` is `title` within the collection `options`. The value of a resource locator is what it locates. What is not
 * in its collection is empty text: n8n throws for a parameter that is not there, unless it is told what to take instead.
 */
export function readParameter(context: IExecuteFunctions, itemIndex: number, parameter: string): unknown {
  const value: unknown = context.getNodeParameter(parameter, itemIndex, '');
  return isLocator(value) ? value.value : value;
}

/** Looked at here and not by n8n's `extractValue`, which throws for a parameter that another one hides. */
function isLocator(value: unknown): value is { readonly value: unknown } {
  return isFields(value) && 'mode' in value && 'value' in value;
}

function readField(value: unknown, field: WireField | undefined, timeZone: string): unknown {
  const given = field === undefined ? value : convert(value, field, timeZone);
  // A block of a report may be made empty; everywhere else empty means that nothing was filled in.
  if (given === '' && field?.rule === 'any text' && field.required) return given;
  if (given === undefined || given === null || given === '') return undefined;
  return Array.isArray(given) && given.length === 0 ? undefined : given;
}

/** Expressions and agents give numbers for text and text for numbers. What cannot be meant stays, for the rule to refuse. */
function convert(value: unknown, { kind, rule }: WireField, timeZone: string): unknown {
  if (kind === 'list') return readList(value);
  if (rule === 'date') return readDay(value, timeZone);
  if (kind === 'text') return writeNumber(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (kind === 'integer' && /^\d{1,15}$/.test(text)) return Number(text);
  return kind === 'boolean' && /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value;
}

/** A list, or text with commas in between. */
function readList(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writeNumber);
  const text = writeNumber(value);
  if (typeof text !== 'string') return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function writeNumber(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}
