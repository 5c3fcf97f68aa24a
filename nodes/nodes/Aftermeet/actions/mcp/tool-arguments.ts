import { asFields, asList, ServiceError } from '@aftermeet/client/pure';
import type { INodeProperties } from 'n8n-workflow';

import { calling } from '../../mcp/mcp-client.ts';

/** How the arguments of a tool are given: as they stand in the tool's schema, or one by one. */
export const argumentProperties: readonly INodeProperties[] = [
  {
    displayName: 'Arguments',
    name: 'argumentMode',
    type: 'options',
    default: 'json',
    options: [
      { name: 'As JSON', value: 'json', description: 'One object with all of them' },
      { name: 'One by One', value: 'fields', description: 'Each with its name, type and value' },
    ],
    description: 'How the arguments are given; List Tools shows which ones a tool takes',
  },
  {
    displayName: 'Arguments (JSON)',
    name: 'argumentsJson',
    type: 'json',
    default: '{}',
    description: 'An object with the arguments by name, such as {"query": "weekly", "limit": 5}',
    displayOptions: { show: { argumentMode: ['json'] } },
  },
  {
    displayName: 'Arguments',
    name: 'argumentFields',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    placeholder: 'Add argument',
    default: {},
    displayOptions: { show: { argumentMode: ['fields'] } },
    options: [
      {
        displayName: 'Argument',
        name: 'argument',
        values: [
          {
            displayName: 'Name',
            name: 'name',
            type: 'string',
            default: '',
            required: true,
            description: "As it stands in the tool's schema",
          },
          {
            displayName: 'Type',
            name: 'type',
            type: 'options',
            default: 'text',
            options: [
              { name: 'JSON', value: 'json', description: 'A list, an object, or null' },
              { name: 'Number', value: 'number' },
              { name: 'Text', value: 'text' },
              { name: 'True or False', value: 'boolean' },
            ],
            description: 'What the tool expects the value to be',
          },
          {
            displayName: 'Value',
            name: 'value',
            type: 'string',
            default: '',
            description: 'The value; one that is not of the chosen type is refused before anything is sent',
          },
        ],
      },
    ],
  },
];

/** The arguments from a JSON parameter: text, or an object that an expression gave. Throws `ServiceError`. */
export function readArgumentsJson(value: unknown): Readonly<Record<string, unknown>> {
  const given = typeof value === 'string' && value.trim() === '' ? {} : openJson(value);
  const input = asFields(given);
  if (input === undefined) throw refuse('the arguments must be a JSON object');
  return input;
}

/** The arguments from the collection of single ones. Throws `ServiceError`, which names the one that is wrong. */
export function readArgumentFields(value: unknown): Readonly<Record<string, unknown>> {
  const input = new Map<string, unknown>();
  for (const entry of asList(asFields(value)?.['argument'])) {
    const { name, type, value: given } = asFields(entry) ?? {};
    if (typeof name !== 'string' || name === '') throw refuse('an argument has no name');
    if (input.has(name)) throw refuse(`the argument ${name} is given twice`);
    input.set(name, readValue(name, type, given));
  }
  return Object.fromEntries(input);
}

function readValue(name: string, type: unknown, given: unknown): unknown {
  if (type === 'number') {
    const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
    throw refuse(`the argument ${name} is no number`);
  }
  if (type === 'boolean') {
    if (given === true || given === 'true') return true;
    if (given === false || given === 'false') return false;
    throw refuse(`the argument ${name} is neither true nor false`);
  }
  if (type === 'json') {
    const opened = openJson(given);
    if (opened !== undefined) return opened;
    throw refuse(`the argument ${name} is no JSON`);
  }
  return typeof given === 'string' ? given : JSON.stringify(given ?? '');
}

function openJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function refuse(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', doing: calling, detail, unsent: true });
}
