import { AmbiguousWriteError, asFields, readCreatedTag, type Tag, walkTags } from '@aftermeet/client/pure';
import { limits, tagColors } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ServiceContext } from '../transport/raw-request.ts';
import { describeOperation, sendOperation, type SendOptions } from '../transport/request.ts';
import { wireOperations } from '../wire/wire-operations.ts';
import { limitParameters, meetingLocator, readFields, readLimit, tagLocator, takeUpTo } from './fields.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';

const attachDescription = {
  value: 'attach',
  name: 'Attach to Meeting',
  action: 'Attach tag to meeting',
  description: 'Put a tag on a meeting; one that is on it already is no error',
  sends: 'tags.attach',
  parameters: { meeting_id: 'meetingId', tag_id: 'tagId' },
  properties: [meetingLocator, tagLocator],
} as const satisfies OperationDescription;

const createDescription: OperationDescription = {
  value: 'create',
  name: 'Create',
  action: 'Create tag',
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

const detachDescription = {
  value: 'detach',
  name: 'Detach From Meeting',
  action: 'Detach tag from meeting',
  description: 'Take a tag off a meeting; one that is not on it is no error',
  sends: 'tags.detach',
  parameters: { meeting_id: 'meetingId', tag_id: 'tagId' },
  properties: [meetingLocator, tagLocator],
} as const satisfies OperationDescription;

const listDescription: OperationDescription = {
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

export const tagResource: NodeResource = {
  value: 'tag',
  name: 'Tag',
  usual: 'list',
  operations: [
    { description: attachDescription, execute: executeAttach },
    { description: createDescription, execute: executeCreate },
    { description: detachDescription, execute: executeDetach },
    { description: listDescription, execute: executeList },
  ],
};

async function executeAttach(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  return await linkTag(context, itemIndex, attachDescription);
}

async function executeDetach(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  return await linkTag(context, itemIndex, detachDescription);
}

/** Attaches or detaches. What the service says of the tag counts; where it says nothing, what was asked for was done. */
async function linkTag(
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

async function executeCreate(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, createDescription);
  const { status, body } = await sendOperation(context, 'tags.create', fields);
  const tag = readCreatedTag(body);
  if (tag !== undefined) return [writeTag(tag)];
  // A success without a tag: it was created, or a proxy answered in the service's place.
  throw new AmbiguousWriteError({
    operation: describeOperation(wireOperations['tags.create']),
    reason: 'the answer names no tag',
    verifyWith: { operation: 'tags.list', input: {} },
    status,
  });
}

/** A tag as an item, with its id where the other operations have it; one whose color is not known has none. */
function writeTag({ id, name, color }: Tag): INodeExecutionData {
  return { json: { tag_id: id, name, ...(color === undefined ? {} : { color }) } };
}

async function executeList(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const tags = await takeUpTo(findTags(context), readLimit(context, itemIndex));
  return tags.map(writeTag);
}

/** All tags, each once, from pages that end as in the client; a page is asked for only when it is wanted. */
export async function* findTags(
  context: ServiceContext,
  options?: SendOptions,
): AsyncGenerator<Tag, void, undefined> {
  const perPage = limits.tagPageSize;
  const pages = walkTags(
    (cursor) => sendOperation(context, 'tags.list', { perPage, cursor }, options),
    describeOperation(wireOperations['tags.list']),
  );
  for await (const { items } of pages) yield* items;
}
