import { isFields } from '@aftermeet/client/pure';
import type { OperationId } from '@aftermeet/contract';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** What n8n shows of an operation, and how its parameters become the fields of a request. */
export interface OperationDescription {
  /** The value of the parameter `operation`. */
  readonly value: string;
  readonly name: string;
  /** In the list of actions: a sentence without a full stop. */
  readonly action: string;
  readonly description: string;
  /** Its parameters, without the `displayOptions` of resource and operation (router.ts adds those). */
  readonly properties: readonly INodeProperties[];
  /** The operation of the service that it sends; none of those of the MCP endpoint, which is no part of the table. */
  readonly sends?: OperationId;
  /** Where each field comes from: a parameter, or one within a collection (`options.title`). */
  readonly parameters: Readonly<Record<string, string>>;
  /** The fields that the node fills itself, and from what. */
  readonly filled?: Readonly<Record<string, string>>;
}

/** Does the operation for one item. Throws `ServiceError` for what the service refuses; the router does the rest. */
export type ExecuteOperation = (
  context: IExecuteFunctions,
  itemIndex: number,
) => Promise<INodeExecutionData[]>;

export interface NodeOperation {
  readonly description: OperationDescription;
  readonly execute: ExecuteOperation;
}

/** The operations of one resource, as they stand in the list. */
export interface NodeResource {
  /** The value of the parameter `resource`. */
  readonly value: string;
  readonly name: string;
  /** The operation that is chosen first. */
  readonly usual: string;
  readonly operations: readonly NodeOperation[];
}

/** What the service answered as an item; what is no object stands in `value`. */
export function asItem(answered: unknown): INodeExecutionData {
  return { json: asDataObject(answered) ?? { value: answered ?? null } };
}

/** Whatever JSON holds, an item may hold; undefined for what is no object. */
export function asDataObject(value: unknown): IDataObject | undefined {
  return isDataObject(value) ? value : undefined;
}

function isDataObject(value: unknown): value is IDataObject {
  return isFields(value);
}
