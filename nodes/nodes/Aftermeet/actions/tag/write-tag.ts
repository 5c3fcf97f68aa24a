import type { Tag } from '@aftermeet/client/pure';
import type { INodeExecutionData } from 'n8n-workflow';

/** A tag as an item, with its id where the other operations have it; one whose color is not known has none. */
export function writeTag({ id, name, color }: Tag): INodeExecutionData {
  return { json: { tag_id: id, name, ...(color === undefined ? {} : { color }) } };
}
