import { asFields, isFields, refuseInput } from '@aftermeet/client/pure';
import {
  addOffset,
  listFields,
  type ListedField,
  type Operation,
  type OperationInput,
  operations,
} from '@aftermeet/contract';
import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  NodeOperationError,
} from 'n8n-workflow';

import type { FieldLabels } from '../transport/errors.ts';
import { asItem, type OperationDescription } from './node-operation.ts';

/**
 * The input of an operation from its parameters for one item; what is empty is left out. As yet unchecked: the client refuses
 * what breaks a rule of the contract.
 */
export function readInput<Op extends Operation>(
  context: IExecuteFunctions,
  itemIndex: number,
  description: OperationDescription,
  operation: Op,
): OperationInput<Op> {
  const fields = new Map(listFields(operation).map((field) => [field.name, field]));
  const given = Object.entries(description.parameters)
    .map(([name, parameter]) => [
      name,
      readField(readParameter(context, itemIndex, parameter), fields.get(name), context.getTimezone()),
    ])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as OperationInput<Op>;
}

/** The meeting of an operation that is about one; the client refuses what is none. */
export function readMeetingId(
  context: IExecuteFunctions,
  itemIndex: number,
  description: OperationDescription,
): string {
  return readInput(context, itemIndex, description, operations.reports.get).meetingId;
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

function readField(value: unknown, field: ListedField | undefined, timeZone: string): unknown {
  const given = field === undefined ? value : convert(value, field, timeZone);
  // A block of a report may be made empty; everywhere else empty means that nothing was filled in.
  if (given === '' && field?.name === 'newSummaryText') return given;
  if (given === undefined || given === null || given === '') return undefined;
  return Array.isArray(given) && given.length === 0 ? undefined : given;
}

/** Expressions and agents give numbers for text and text for numbers. What cannot be meant stays, for the rule to refuse. */
function convert(value: unknown, { rule }: ListedField, timeZone: string): unknown {
  if (rule.type === 'list of texts') return readList(value);
  if (rule.schema['format'] === 'date') return readDay(value, timeZone);
  if (rule.type === 'text') return writeNumber(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (rule.type === 'whole number' && /^\d{1,15}$/.test(text)) return Number(text);
  return rule.type === 'true or false' && /^(?:true|false)$/i.test(text)
    ? text.toLowerCase() === 'true'
    : value;
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

const dayPattern = /^\d{4}-\d{2}-\d{2}/;

const offsetPattern = /T.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * The day (`YYYY-MM-DD`) of a date-time parameter: a text with an offset, and a moment from an expression, fall on their day in
 * the workflow's time zone; a text without an offset is in that zone already. Anything else stays what it is, for the field's
 * rule to refuse. Pure.
 */
export function readDay(value: unknown, timeZone: string): unknown {
  const given = writeMoment(value);
  if (typeof given !== 'string' || !dayPattern.test(given)) return given;
  if (!offsetPattern.test(given)) return isWallTime(given) ? given.slice(0, 10) : given;
  const ms = Date.parse(given);
  return Number.isNaN(ms) ? given : findDay(ms, timeZone);
}

/** `2026-07-07`, `2026-07-07T09:00`, `2026-07-07 09:00:00.000`: what n8n's date picker writes. */
function isWallTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/.test(text);
}

function findDay(ms: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return [parts.get('year')?.padStart(4, '0'), parts.get('month'), parts.get('day')].join('-');
}

/** A moment as text: expressions may give a `Date`, or one of luxon, which n8n hands on as they are. Anything else stays. Pure. */
function writeMoment(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString();
  if (typeof value !== 'object' || value === null || !('toISO' in value)) return value;
  return typeof value.toISO === 'function' ? (value.toISO() as unknown) : value;
}

/**
 * A date and time with its UTC offset; text without one is in the given IANA time zone, which is how n8n's date picker writes it.
 * A moment from an expression (luxon's, or a `Date`) holds its offset. Anything else stays what it is, for the field's rule to
 * refuse. Pure.
 */
export function placeInTime(value: unknown, timeZone: string): unknown {
  const text = writeMoment(value);
  return (typeof text === 'string' ? addOffset(text, timeZone) : undefined) ?? text;
}

/** As `placeInTime`, of a field that is sent. Throws `bad_request` for what is no text: left out, it would mean something else. */
export function readTime(value: unknown, timeZone: string, operation: Operation, field: string): string {
  const time = placeInTime(value, timeZone);
  if (typeof time === 'string') return time;
  throw refuseInput(operation, [{ path: [field], code: 'invalid', expected: 'an ISO date and time' }]);
}

/** How many results: all of them, or so many at most. */
export const limitParameters: readonly INodeProperties[] = [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { returnAll: [false] } },
  },
];

/** Infinity for all. Throws for a limit that is no whole number of at least 1, which an expression may give. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
  if (context.getNodeParameter('returnAll', itemIndex, false)) return Infinity;
  const given: unknown = context.getNodeParameter('limit', itemIndex, 50);
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new NodeOperationError(context.getNode(), 'Limit must be a whole number of at least 1', {
    itemIndex,
  });
}

/** At most so many; asks for no more than that. */
export async function takeUpTo<T>(found: AsyncIterable<T>, limit: number): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const one of found) {
    taken.push(one);
    if (taken.length >= limit) break;
  }
  return taken;
}

/** What stands above the parameters of an operation in the editor, by the field that each one fills. Pure. */
export function listLabels({ parameters, properties }: OperationDescription): FieldLabels {
  return new Map(
    Object.entries(parameters).flatMap(([field, parameter]) => {
      const label = findLabel(properties, parameter.split('.'));
      return label === undefined ? [] : [[field, label]];
    }),
  );
}

/** `options.title` is `title` within the collection `options`. */
function findLabel(properties: readonly unknown[], [name, ...inner]: readonly string[]): string | undefined {
  const property = properties.filter(isProperty).find((one) => one.name === name);
  return inner.length === 0 ? property?.displayName : findLabel(property?.options ?? [], inner);
}

/** The options of a collection are properties; those of a choice have a value in place of a label. */
function isProperty(option: unknown): option is INodeProperties {
  return typeof option === 'object' && option !== null && 'displayName' in option && 'type' in option;
}

/** A meeting: from a search, or its id. */
export const meetingLocator: INodeProperties = {
  displayName: 'Meeting',
  name: 'meetingId',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'Its ID is meeting_id in the items of this node and of the triggers',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a meeting…',
      typeOptions: { searchListMethod: 'searchMeetings', searchable: true },
    },
    { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. m_42' },
  ],
};

/** A template of a report: built-in or custom, or its slug or UUID. */
export const templateLocator: INodeProperties = {
  displayName: 'Template',
  name: 'templateName',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  description:
    'The report template: a built-in one, or one of the workspace. Its slug or ID is template_name in the items of Template: Get Many.',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a template…',
      typeOptions: { searchListMethod: 'searchTemplates', searchable: true },
    },
    {
      displayName: 'By Slug or ID',
      name: 'id',
      type: 'string',
      placeholder: 'e.g. team-sync',
    },
  ],
};

/** A tag of the workspace, or its id. */
export const tagLocator: INodeProperties = {
  displayName: 'Tag',
  name: 'tagId',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'Its ID is tag_id in the items of Create and Get Many',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a tag…',
      typeOptions: { searchListMethod: 'searchTags', searchable: true },
    },
    { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. t_7' },
  ],
};

/** An item of what the service answered, with the meeting's id where every operation of this node has it, and what else is known. */
export function nameMeeting(
  meetingId: string,
  answered: unknown,
  known: Readonly<Record<string, unknown>> = {},
): INodeExecutionData {
  return asItem({ ...asFields(answered), meeting_id: meetingId, ...known });
}

/** What becomes of a meeting that is not ready: an error, or an item that says so. */
export const whenNotReadyParameter: INodeProperties = {
  displayName: 'When Not Ready',
  name: 'whenNotReady',
  type: 'options',
  default: 'error',
  options: [
    {
      name: 'Fail',
      value: 'error',
      description: 'The item fails, so that nothing that needs the report goes on',
    },
    {
      name: 'Return an Item',
      value: 'item',
      description: 'An item with ready: false, status and phase, also for a meeting that failed',
    },
  ],
};
