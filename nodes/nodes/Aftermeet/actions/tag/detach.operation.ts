import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { meetingLocator, tagLocator } from '../locators.ts';
import type { OperationDescription } from '../node-operation.ts';
import { linkTag } from './link-tag.ts';

export const description = {
  value: 'detach',
  name: 'Detach From Meeting',
  action: 'Detach a tag from a meeting',
  description: 'Take a tag off a meeting; one that is not on it is no error',
  sends: 'tags.detach',
  parameters: { meeting_id: 'meetingId', tag_id: 'tagId' },
  properties: [meetingLocator, tagLocator],
} as const satisfies OperationDescription;

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  return await linkTag(context, itemIndex, description);
}
