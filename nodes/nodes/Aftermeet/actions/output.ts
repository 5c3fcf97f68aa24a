import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  NodeOperationError,
} from 'n8n-workflow';

import { readParameter } from './fields.ts';
import { asItem } from './node-operation.ts';

/** One field of the items of an operation, and where its value comes from. */
export interface OutputField<T> {
  /** As it stands in the items: snake_case. */
  readonly name: string;
  /** True for what only Selected Fields gives. */
  readonly isExtra?: boolean;
  /** What is not known is null, so that all items have the same fields. */
  readonly read: (source: T) => unknown;
}

/** What the user of an operation wants of each thing it found. */
export interface Output<T> {
  /** True where the answer is wanted as it came. */
  readonly isRaw: boolean;
  /** Of anything else: the item with the fields that are wanted. */
  readonly pick: (source: T) => INodeExecutionData;
}

/**
 * n8n's parameter Output, and the choice of fields that belongs to it: Simplified by default, Selected Fields, and Raw where
 * there is an answer to give as it came. Pure.
 */
export function describeOutput(
  fields: readonly OutputField<never>[],
  { hasRaw }: { readonly hasRaw: boolean },
): readonly INodeProperties[] {
  const simple = listSimple(fields).map(({ name }) => name);
  const raw = { name: 'Raw', value: 'raw', description: 'The answer of the service as it came' };
  return [
    {
      displayName: 'Output',
      name: 'output',
      type: 'options',
      default: 'simplified',
      options: [
        ...(hasRaw ? [raw] : []),
        {
          name: 'Selected Fields',
          value: 'selectedFields',
          description: 'Only the fields that you choose: the fewer, the cheaper for a model that reads them',
        },
        { name: 'Simplified', value: 'simplified', description: `The fields ${simple.join(', ')}` },
      ],
      description: 'How much of the answer the item holds',
    },
    {
      displayName: 'Fields',
      name: 'fields',
      type: 'multiOptions',
      default: [],
      required: true,
      displayOptions: { show: { output: ['selectedFields'] } },
      options: fields
        .map(({ name }) => ({ name: writeTitle(name), value: name }))
        .toSorted((one, other) => one.name.localeCompare(other.name)),
      description:
        'What the item holds; an expression may give the names as a list, or with commas in between',
    },
  ];
}

/** What was chosen for one item. Throws for a field that there is not, and for none at all. */
export function readOutput<T>(
  context: IExecuteFunctions,
  itemIndex: number,
  fields: readonly OutputField<T>[],
): Output<T> {
  const output = readParameter(context, itemIndex, 'output');
  const wanted = output === 'selectedFields' ? findSelected(context, itemIndex, fields) : listSimple(fields);
  return { isRaw: output === 'raw', pick: (source) => asItem(pickFields(source, wanted)) };
}

/** The fields of the simplified form, in their order. Pure. */
export function simplify<T>(source: T, fields: readonly OutputField<T>[]): Readonly<Record<string, unknown>> {
  return pickFields(source, listSimple(fields));
}

function pickFields<T>(source: T, fields: readonly OutputField<T>[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, read }) => [name, read(source) ?? null]));
}

function listSimple<T>(fields: readonly OutputField<T>[]): readonly OutputField<T>[] {
  return fields.filter(({ isExtra = false }) => !isExtra);
}

function findSelected<T>(
  context: IExecuteFunctions,
  itemIndex: number,
  fields: readonly OutputField<T>[],
): readonly OutputField<T>[] {
  const names = readNames(readParameter(context, itemIndex, 'fields'));
  const known = fields.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (names.length > 0 && unknown.length === 0) return fields.filter(({ name }) => names.includes(name));
  const message = names.length === 0 ? 'Fields is empty' : `Fields has no ${unknown.join(', ')}`;
  throw new NodeOperationError(context.getNode(), message, {
    itemIndex,
    description: `Choose among ${known.join(', ')}.`,
  });
}

function readNames(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return list.map((name) => String(name).trim()).filter((name) => name !== '');
}

/** `meeting_id` is `Meeting ID` to the eye. */
function writeTitle(name: string): string {
  return name
    .split('_')
    .map((word) => (word === 'id' ? 'ID' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');
}
