import { isFields } from '@aftermeet/client/pure';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

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
