import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { explainFailure } from '../transport/explain-failure.ts';
import { listLabels } from './list-labels.ts';
import type { NodeOperation } from './node-operation.ts';
import { resources } from './resources.ts';

/** Does the chosen operation for each item in turn. What fails is an item of its own where the node is told to go on. */
export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const returned: INodeExecutionData[] = [];
  for (const itemIndex of context.getInputData().keys()) {
    const pairedItem = { item: itemIndex };
    let operation: NodeOperation | undefined;
    try {
      operation = findOperation(context, itemIndex);
      for (const item of await operation.execute(context, itemIndex)) returned.push({ ...item, pairedItem });
    } catch (error) {
      const labels = operation === undefined ? undefined : listLabels(operation.description);
      const failure = explainFailure(context.getNode(), error, itemIndex, labels);
      if (!context.continueOnFail()) throw failure;
      const { message, description } = failure;
      returned.push({ json: { error: message, description: description ?? '' }, error: failure, pairedItem });
    }
  }
  return [returned];
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
