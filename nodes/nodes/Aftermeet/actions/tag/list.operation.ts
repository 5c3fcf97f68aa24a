import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { limitParameters, readLimit, takeUpTo } from '../limit-parameters.ts';
import type { OperationDescription } from '../node-operation.ts';
import { findTags } from './find-tags.ts';
import { writeTag } from './write-tag.ts';

export const description: OperationDescription = {
  value: 'list',
  name: 'Get Many',
  action: 'Get many tags',
  description: 'List the tags of the workspace',
  sends: 'tags.list',
  parameters: {},
  filled: {
    perPage: 'the largest page that was seen',
    cursor: 'where the page before says that the next begins',
  },
  properties: limitParameters,
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const tags = await takeUpTo(findTags(context), readLimit(context, itemIndex));
  return tags.map(writeTag);
}
