import { asFields, sendRequest, type Tag, walkTags } from '@aftermeet/client/pure';
import { limits, operations, tagColors } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect, type ConnectOptions } from '../transport/connect.ts';
import type { ServiceContext } from '../transport/n8n-fetch.ts';
import { limitParameters, meetingLocator, readInput, readLimit, tagLocator, takeUpTo } from './fields.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';

const attachDescription: OperationDescription = {
  value: 'attach',
  name: 'Attach to Meeting',
  action: 'Attach tag to meeting',
  description: 'Put a tag on a meeting; one that is on it already is no error',
  sends: 'tags.attach',
  parameters: { meetingId: 'meetingId', tagId: 'tagId' },
  properties: [meetingLocator, tagLocator],
};

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

const detachDescription: OperationDescription = {
  value: 'detach',
  name: 'Detach From Meeting',
  action: 'Detach tag from meeting',
  description: 'Take a tag off a meeting; one that is not on it is no error',
  sends: 'tags.detach',
  parameters: { meetingId: 'meetingId', tagId: 'tagId' },
  properties: [meetingLocator, tagLocator],
};

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

interface TagLink {
  readonly meetingId: string;
  readonly tagId: string;
}

async function executeAttach(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const link = readInput(context, itemIndex, attachDescription, operations.tags.attach);
  const { tags } = await connect(context);
  return [writeLink(link, (await tags.attach(link)).raw, true)];
}

async function executeDetach(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const link = readInput(context, itemIndex, detachDescription, operations.tags.detach);
  const { tags } = await connect(context);
  return [writeLink(link, (await tags.detach(link)).raw, false)];
}

/** What the service says of the tag counts; where it says nothing, what was asked for was done. */
function writeLink({ meetingId, tagId }: TagLink, answered: unknown, asked: boolean): INodeExecutionData {
  const { assigned } = { ...asFields(answered) };
  const attached = typeof assigned === 'boolean' ? assigned : asked;
  return { json: { meeting_id: meetingId, tag_id: tagId, attached } };
}

async function executeCreate(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const { tags } = await connect(context);
  const input = readInput(context, itemIndex, createDescription, operations.tags.create);
  return [writeTag(await tags.create(input))];
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
  options?: ConnectOptions,
): AsyncGenerator<Tag, void, undefined> {
  const { connection } = await connect(context, options);
  const operation = operations.tags.list;
  const perPage = limits.tagPageSize;
  const askPage = (cursor: string | undefined) =>
    sendRequest(connection, operation, { perPage, ...(cursor === undefined ? {} : { cursor }) });
  for await (const { items } of walkTags(askPage, operation)) yield* items;
}
