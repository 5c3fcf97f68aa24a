import { asFields, asList, callingTool, describeAnswer, ServiceError } from '@aftermeet/client/pure';
import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  NodeOperationError,
} from 'n8n-workflow';

import { readCredential } from '../transport/connect.ts';
import { connectMcp } from '../transport/mcp.ts';
import { readParameter } from './fields.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';

/** How the arguments of a tool are given: as they stand in the tool's schema, or one by one. */
const argumentProperties: readonly INodeProperties[] = [
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

const callToolDescription: OperationDescription = {
  value: 'callTool',
  name: 'Call Tool',
  action: 'Call MCP tool',
  description: 'Have a tool of the MCP endpoint run, and get what it says',
  parameters: {},
  properties: [
    {
      displayName: 'Tool',
      name: 'tool',
      type: 'resourceLocator',
      default: { mode: 'list', value: '' },
      required: true,
      modes: [
        {
          displayName: 'From List',
          name: 'list',
          type: 'list',
          placeholder: 'Select a tool…',
          typeOptions: { searchListMethod: 'searchTools', searchable: true },
        },
        { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. search_meetings' },
      ],
    },
    ...argumentProperties,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Ignore Tool Errors',
          name: 'ignoreToolErrors',
          type: 'boolean',
          default: false,
          description: 'Whether what a tool reports as its error is an item with is_error, and no error',
        },
        {
          displayName: 'Return Every Part',
          name: 'returnContent',
          type: 'boolean',
          default: false,
          description: 'Whether the item also holds all parts of the answer, such as pictures, as content',
        },
      ],
    },
  ],
};

const listToolsDescription: OperationDescription = {
  value: 'listTools',
  name: 'List Tools',
  action: 'List MCP tools',
  description: 'Get the tools that the MCP endpoint offers, each with the schema of its arguments',
  parameters: {},
  properties: [],
};

export const mcpResource: NodeResource = {
  value: 'mcp',
  name: 'MCP',
  usual: 'listTools',
  operations: [
    { description: callToolDescription, execute: executeCallTool },
    { description: listToolsDescription, execute: executeListTools },
  ],
};

async function executeCallTool(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const read = (name: string): unknown => readParameter(context, itemIndex, name);
  const tool = read('tool');
  const name = typeof tool === 'string' ? tool : '';
  const input =
    read('argumentMode') === 'fields'
      ? readArgumentFields(read('argumentFields'))
      : readArgumentsJson(read('argumentsJson'));
  const { ignoreToolErrors, returnContent } = context.getNodeParameter('options', itemIndex, {});
  const mcp = await connectMcp(context);
  const { text, isError, structured, raw } = await mcp.callTool(name, input).catch(nameDoubt);
  if (isError && ignoreToolErrors !== true) {
    const { apiKey } = await readCredential(context);
    const said = describeAnswer(text, [apiKey]);
    throw new NodeOperationError(context.getNode(), said ?? 'The tool reports an error without a word', {
      itemIndex,
      description: `The tool ${name} ran and reported this. With Ignore Tool Errors it is an item with is_error instead.`,
    });
  }
  const content = asList(asFields(raw)?.['content']);
  const json = { tool: name, is_error: isError, text, structured: structured ?? null };
  return [{ json: returnContent === true ? { ...json, content } : json }];
}

/** A tool that may have run must not be advised to run again. */
function nameDoubt(error: unknown): never {
  const isDoubtful = error instanceof ServiceError && error.mayHaveTakenEffect && error.code !== 'aborted';
  throw isDoubtful ? error.with({ code: 'ambiguous' }) : error;
}

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
  return new ServiceError({ code: 'bad_request', operation: callingTool, detail, unsent: true });
}

async function executeListTools(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const mcp = await connectMcp(context);
  const { items: tools } = await mcp.listTools();
  return tools.map(({ name, description: about, inputSchema }) => {
    const json: IDataObject = { name, description: about ?? '', input_schema: { ...inputSchema } };
    return { json };
  });
}
