import { AmbiguousWriteError, readCreatedTag } from '@aftermeet/client/pure';
import { tagColors } from '@aftermeet/contract/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { describeOperation, sendOperation } from '../../transport/send-operation.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields } from '../read-fields.ts';
import { writeTag } from './write-tag.ts';

export const description: OperationDescription = {
  value: 'create',
  name: 'Create',
  action: 'Create a tag',
  description: 'Create a tag in the workspace',
  sends: 'tags.create',
  parameters: { name: 'name', color: 'options.color' },
  properties: [
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. customer',
      description: 'At most 24 characters were seen to be taken; a name that is there already is refused',
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Color',
          name: 'color',
          type: 'options',
          default: 'blue',
          description: 'The colors that were seen; an expression may give another one',
          options: tagColors.toSorted().map((color) => ({
            name: color.charAt(0).toUpperCase() + color.slice(1),
            value: color,
          })),
        },
      ],
    },
  ],
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, description);
  const { status, body } = await sendOperation(context, 'tags.create', fields);
  const tag = readCreatedTag(body);
  if (tag !== undefined) return [writeTag(tag)];
  // A success without a tag: it was created, or a proxy answered in the service's place.
  throw new AmbiguousWriteError({
    doing: describeOperation(wireOperations['tags.create']),
    reason: 'the answer names no tag',
    settleWith: { operation: 'tags.list', input: {} },
    status,
  });
}
