import type { NodeOperation } from '../../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import { resources } from '../../../../nodes/nodes/Aftermeet/actions/router.ts';

/** An operation of the node by the values of its parameters `resource` and `operation`. */
export function findOperation(resource: string, operation: string): NodeOperation {
  const found = resources
    .find(({ value }) => value === resource)
    ?.operations.find(({ description }) => description.value === operation);
  if (found === undefined) throw new Error(`no operation ${operation} of ${resource}`);
  return found;
}
