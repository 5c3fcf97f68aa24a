import { describeAnswer } from '@aftermeet/client/pure';
import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { callMcpTool } from '../../mcp/mcp-client.ts';
import { readCredential } from '../../transport/read-credential.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readParameter } from '../read-fields.ts';
import { argumentProperties, readArgumentFields, readArgumentsJson } from './tool-arguments.ts';

/** As every other request. */
const DEFAULT_SECONDS = 30;
/** An hour: n8n holds the execution open meanwhile. */
const MAX_SECONDS = 3600;

export const description: OperationDescription = {
  value: 'callTool',
  name: 'Call Tool',
  action: 'Call a tool of the MCP endpoint',
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
        {
          displayName: 'Timeout (Seconds)',
          name: 'timeoutSeconds',
          type: 'number',
          typeOptions: { minValue: 1, maxValue: MAX_SECONDS },
          default: DEFAULT_SECONDS,
          description:
            'How long the tool may take; a call that takes longer may have done its work all the same',
        },
      ],
    },
  ],
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const read = (name: string): unknown => readParameter(context, itemIndex, name);
  const tool = read('tool');
  const name = typeof tool === 'string' ? tool : '';
  const input =
    read('argumentMode') === 'fields'
      ? readArgumentFields(read('argumentFields'))
      : readArgumentsJson(read('argumentsJson'));
  const timeoutMs = readSeconds(context, itemIndex) * 1000;
  const { ignoreToolErrors, returnContent } = context.getNodeParameter('options', itemIndex, {});
  const { text, isError, structured, content } = await callMcpTool(context, {
    name,
    input,
    timeoutMs,
  });
  if (isError && ignoreToolErrors !== true) {
    const { apiKey } = await readCredential(context);
    const said = describeAnswer(text, [apiKey]);
    throw new NodeOperationError(context.getNode(), said ?? 'The tool reports an error without a word', {
      itemIndex,
      description: `The tool ${name} ran and reported this. With Ignore Tool Errors it is an item with is_error instead.`,
    });
  }
  const json = { tool: name, is_error: isError, text, structured: structured ?? null };
  return [{ json: returnContent === true ? { ...json, content } : json }];
}

function readSeconds(context: IExecuteFunctions, itemIndex: number): number {
  const given = readParameter(context, itemIndex, 'options.timeoutSeconds');
  const seconds = given === '' ? DEFAULT_SECONDS : Number(given);
  if (seconds >= 1 && seconds <= MAX_SECONDS) return Math.ceil(seconds);
  throw new NodeOperationError(context.getNode(), `Timeout (Seconds) must be 1 to ${MAX_SECONDS}`, {
    itemIndex,
  });
}
