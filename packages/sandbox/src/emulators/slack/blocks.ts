import { toObject, toObjects, type LooseObject } from '@aftermeet/pages';
import { z } from 'zod';

import { isTooDeep } from '../../values.ts';
import type { SchemaProblem, VendorSchema } from '../vendor-schema.ts';
import type { SlackMetadata, SlackRefusal } from './state.ts';

const maxBlocks = 50;

/** Of all text in a message's blocks. Slack gives no figure; others were refused from 11,341 and 13,202 characters on. */
const maxMessageLength = 11_000;

const place = '/blocks';

/**
 * Checks the blocks of a message as Slack does: against the SDK's types with the limits that their comments and Slack's
 * pages state, and against rules that no type expresses.
 */
export function checkBlocks(input: unknown, schema: VendorSchema): SlackRefusal | readonly LooseObject[] {
  const parsed = objectsSchema.safeParse(input);
  if (!parsed.success || isTooDeep(parsed.data)) return { error: 'invalid_blocks_format' };
  const blocks = parsed.data;
  const details = [
    ...(blocks.length > maxBlocks
      ? [`no more than ${String(maxBlocks)} items allowed [json-pointer:${place}]`]
      : []),
    ...blocks.flatMap((block, index) => checkBlock(block, schema, `${place}/${String(index)}`)),
    ...checkUniqueIds(blocks),
  ];
  if (details.length > 0) return { error: 'invalid_blocks', details };
  return measureText(blocks) > maxMessageLength ? { error: 'msg_blocks_too_long' } : blocks;
}

const objectsSchema = z.array(z.record(z.string(), z.unknown()));

/**
 * The kinds of blocks are those of the SDK (https://docs.slack.dev/reference/block-kit/blocks), without `alert`, which is for
 * modals only. `data_visualization` is documented and has no type yet: it is not checked.
 */
function checkBlock(block: LooseObject, schema: VendorSchema, pointer: string): readonly string[] {
  const { type, text, fields } = block;
  if (type === 'data_visualization') return [];
  const problems = schema.check('KnownBlock', block);
  const isUnknown = problems.some((problem) => problem.keyword === 'discriminator' && problem.pointer === '');
  if (isUnknown || type === 'alert')
    return [`unsupported type: ${String(type)} [json-pointer:${pointer}/type]`];
  // The types allow an empty section.
  const isEmptySection = type === 'section' && text === undefined && fields === undefined;
  return [
    ...describeProblems(problems, pointer),
    ...(isEmptySection ? [`must define either \`fields\` or \`text\` [json-pointer:${pointer}]`] : []),
  ];
}

interface BlockId {
  readonly name: 'block_id' | 'action_id';
  readonly id: string;
  readonly pointer: string;
}

/** A `block_id` and an `action_id` are unique within a message. */
function checkUniqueIds(blocks: readonly LooseObject[]): readonly string[] {
  const seen = new Set<string>();
  return blocks
    .flatMap((block, index) => listIds(block, `${place}/${String(index)}`))
    .flatMap(({ name, id, pointer }) => {
      const key = `${name} ${id}`;
      if (seen.has(key)) return [`\`${name}\` "${id}" already exists [json-pointer:${pointer}/${name}]`];
      seen.add(key);
      return [];
    });
}

function listIds(block: LooseObject, pointer: string): readonly BlockId[] {
  const idsOf = (name: BlockId['name'], part: LooseObject, at: string): readonly BlockId[] => {
    const id = part[name];
    return typeof id === 'string' && id !== '' ? [{ name, id, pointer: at }] : [];
  };
  return [
    ...idsOf('block_id', block, pointer),
    ...idsOf('action_id', toObject(block['accessory']), `${pointer}/accessory`),
    ...toObjects(block['elements']).flatMap((element, index) =>
      idsOf('action_id', element, `${pointer}/elements/${String(index)}`),
    ),
    ...toObjects(block['child_blocks']).flatMap((child, index) =>
      listIds(child, `${pointer}/child_blocks/${String(index)}`),
    ),
  ];
}

/** The length of all text inside, in UTF-16 units. The value is not deep: that is checked before. */
function measureText(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value)
    .map(([name, part]: [string, unknown]) =>
      name === 'text' && typeof part === 'string' ? part.length : measureText(part),
    )
    .reduce((total, length) => total + length, 0);
}

/** In bytes of JSON. Slack has a limit and does not state it: assumed. */
const maxMetadataBytes = 8192;

/** https://docs.slack.dev/messaging/message-metadata */
const metadataSchema = z.object({
  event_type: z.string().regex(/^\w{1,255}$/),
  event_payload: z.record(z.string(), z.unknown()),
});

export function checkMetadata(input: unknown, schema: VendorSchema): SlackRefusal | SlackMetadata {
  const parsed = metadataSchema.safeParse(input);
  if (!parsed.success || isTooDeep(input)) return { error: 'invalid_metadata_format' };
  const problems = schema.check('MessageMetadata', parsed.data);
  if (problems.length > 0) {
    return { error: 'invalid_metadata_schema', details: describeProblems(problems, '/metadata') };
  }
  const bytes = Buffer.byteLength(JSON.stringify(parsed.data));
  return bytes > maxMetadataBytes ? { error: 'metadata_too_large' } : parsed.data;
}

/** Problems with the place in Slack's form, in the validator's words. `base` is the JSON pointer to the checked value. */
export function describeProblems(problems: readonly SchemaProblem[], base: string): readonly string[] {
  const lines = problems.map(({ pointer, message }) => {
    const whole = base + pointer;
    return whole === '' ? message : `${message} [json-pointer:${whole}]`;
  });
  return [...new Set(lines)];
}
