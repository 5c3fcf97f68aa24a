import { listOperations, type Operation, type OperationId } from '@aftermeet/contract';

export type WireOperationId = OperationId;

/** Every operation of the service, by its id. */
export const wireOperations = Object.fromEntries(
  listOperations().map((operation) => [operation.id, operation]),
) as Readonly<Record<OperationId, Operation & { readonly id: OperationId }>>;
