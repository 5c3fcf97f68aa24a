import { asFields } from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sendOperation } from '../../transport/send-operation.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields } from '../read-fields.ts';

/** Attaches or detaches. What the service says of the tag counts; where it says nothing, what was asked for was done. */
export async function linkTag(
  context: IExecuteFunctions,
  itemIndex: number,
  description: OperationDescription & { readonly sends: 'tags.attach' | 'tags.detach' },
): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, description);
  const { body } = await sendOperation(context, description.sends, fields);
  const { assigned } = { ...asFields(body) };
  const attached = typeof assigned === 'boolean' ? assigned : description.sends === 'tags.attach';
  return [{ json: { meeting_id: String(fields['meeting_id']), tag_id: String(fields['tag_id']), attached } }];
}
