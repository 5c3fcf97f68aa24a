import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { meetingLocator, tagLocator } from '../locators.ts';
import type { OperationDescription } from '../node-operation.ts';
import { linkTag } from './link-tag.ts';

export const description = {
  value: 'attach',
  name: 'Attach to Meeting',
  action: 'Attach a tag to a meeting',
  description: 'Put a tag on a meeting; one that is on it already is no error',
  sends: 'tags.attach',
  parameters: { meeting_id: 'meetingId', tag_id: 'tagId' },
  properties: [meetingLocator, tagLocator],
} as const satisfies OperationDescription;

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  return await linkTag(context, itemIndex, description);
}
