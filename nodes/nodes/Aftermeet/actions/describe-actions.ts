import type { INodeProperties } from 'n8n-workflow';

import type { NodeOperation, NodeResource } from './node-operation.ts';

/**
 * The node's parameters: which resource (`usual` at first), which operation, and those of each operation, shown where they
 * belong. Pure.
 */
export function describeActions(resources: readonly NodeResource[], usual: string): INodeProperties[] {
  const choice: INodeProperties = {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: resources.map(({ value, name }) => ({ name, value })),
    default: '',
  };
  return [
    { ...choice, default: usual },
    ...resources.map(listOperations),
    ...resources.flatMap((resource) =>
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
  return description.properties.map((property) => ({
    ...property,
    displayOptions: {
      ...property.displayOptions,
      show: { resource: [resource], operation: [description.value], ...property.displayOptions?.show },
    },
  }));
}
