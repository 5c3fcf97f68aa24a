import type { OperationId } from '@aftermeet/contract';
import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  NodeOperationError,
} from 'n8n-workflow';

import { limitRequests } from '../transport/connect.ts';
import { explainFailure } from '../transport/errors.ts';
import { credentialName } from '../transport/n8n-fetch.ts';
import { hideEchoes } from '../transport/redact.ts';
import { exportResource } from './export.ts';
import { listLabels } from './fields.ts';
import { mcpResource } from './mcp.ts';
import { meetingResource } from './meeting.ts';
import { asItem, type NodeOperation, type NodeResource } from './node-operation.ts';
import { recordingResource } from './recording.ts';
import { reportResource } from './report.ts';
import { readRequestLimits, requestOptions } from './request-options.ts';
import { tagResource } from './tag.ts';
import { templateResource } from './template.ts';
import { transcriptResource } from './transcript.ts';
import { uploadResource } from './upload.ts';

/**
 * Does the chosen operation for each item in turn. What fails ends the execution, with the number of its item where there are
 * several; where the node is told to go on, it is an item with the error and the advice.
 */
export async function route(context: IExecuteFunctions, goesOn: boolean): Promise<INodeExecutionData[][]> {
  const returned: INodeExecutionData[] = [];
  const items = context.getInputData();
  for (const itemIndex of items.keys()) {
    const pairedItem = { item: itemIndex };
    let operation: NodeOperation | undefined;
    try {
      operation = findOperation(context, itemIndex);
      limitRequests(context, readRequestLimits(context, itemIndex));
      const hide = await chooseHiding(context, operation);
      for (const item of await operation.execute(context, itemIndex)) {
        returned.push({ ...item, json: hide(item.json), pairedItem });
      }
    } catch (error) {
      const labels = operation === undefined ? undefined : listLabels(operation.description);
      const failure = explainFailure(context.getNode(), error, itemIndex, labels);
      const { message, description } = failure;
      if (!goesOn) {
        if (items.length > 1) failure.message = `${message} [item ${itemIndex}]`;
        throw failure;
      }
      // By these two names n8n knows an error, too. With `error` beside `json` it would put the message alone in its place.
      // With a third name it would be an item like any other, and leave by the wrong output.
      returned.push({ json: { error: message, details: description ?? '' }, pairedItem });
    }
  }
  return [returned];
}

/** What these answer is what people said and wrote, and stays as it is: a secret that stands there was spoken, not echoed. */
const contentIds: ReadonlySet<OperationId> = new Set(['meetings.search', 'reports.get', 'reports.generate']);

/** A service, or a proxy in its place, may echo what was sent into an answer that becomes an item. */
async function chooseHiding(
  context: IExecuteFunctions,
  { description: { sends } }: NodeOperation,
): Promise<(json: IDataObject) => IDataObject> {
  if (sends === undefined || contentIds.has(sends)) return (json) => json;
  const { apiKey, webhookSecret } = await context.getCredentials(credentialName);
  // As they are sent: a key is pasted with the end of its line.
  const secrets = [apiKey, webhookSecret].flatMap((value) =>
    typeof value === 'string' ? [value.trim()] : [],
  );
  return (json) => asItem(hideEchoes(json, secrets)).json;
}

function findOperation(context: IExecuteFunctions, itemIndex: number): NodeOperation {
  const resource = context.getNodeParameter('resource', itemIndex);
  const operation = context.getNodeParameter('operation', itemIndex);
  const found = resources
    .find(({ value }) => value === resource)
    ?.operations.find(({ description }) => description.value === operation);
  if (found === undefined) {
    throw new NodeOperationError(context.getNode(), `There is no operation ${operation} of ${resource}`, {
      itemIndex,
    });
  }
  return found;
}

/** Everything that the node does, in the order of the list. */
export const resources: readonly NodeResource[] = [
  exportResource,
  mcpResource,
  meetingResource,
  recordingResource,
  reportResource,
  tagResource,
  templateResource,
  transcriptResource,
  uploadResource,
];

/**
 * The node's parameters: which resource (`usual` at first), which operation, and those of each operation, shown where they
 * belong. Pure.
 */
export function describeActions(listed: readonly NodeResource[], usual: string): INodeProperties[] {
  const choice: INodeProperties = {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: listed.map(({ value, name }) => ({ name, value })),
    default: '',
  };
  return [
    { ...choice, default: usual },
    ...listed.map(listOperations),
    ...listed.flatMap((resource) =>
      resource.operations.flatMap((operation) => placeProperties(resource, operation)),
    ),
  ];
}

function listOperations({ value: resource, operations, usual }: NodeResource): INodeProperties {
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: operations.map(({ description: { name, value, action, description } }) => ({
      name,
      value,
      action,
      description,
    })),
    default: usual,
  };
}

function placeProperties(
  { value: resource }: NodeResource,
  { description }: NodeOperation,
): INodeProperties[] {
  return [...description.properties, requestOptions].map((property) => ({
    ...property,
    displayOptions: {
      ...property.displayOptions,
      show: { resource: [resource], operation: [description.value], ...property.displayOptions?.show },
    },
  }));
}
