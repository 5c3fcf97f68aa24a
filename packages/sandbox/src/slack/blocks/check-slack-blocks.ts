import { z } from 'zod';

import type { VendorSchema } from '../../stand-ins/vendor-schema.ts';
import { isTooDeep } from '../../web/is-too-deep.ts';
import { describeProblems } from '../describe-problem.ts';
import { slackObjectSchema, type SlackObject } from '../slack-message.ts';
import type { SlackRefusal } from '../slack-refusal.ts';
import { findBlockDefinition, isMessageBlock } from './block-kinds.ts';
import { checkUniqueIds } from './check-unique-ids.ts';
import { measureBlocks } from './measure-blocks.ts';

const maxBlocks = 50;

/** Of one markdown block (measured by others: of each block, not of all together as the page says). */
const maxMarkdownLength = 12_000;

/** Over all tables of a message: https://docs.slack.dev/reference/block-kit/blocks/table-block */
const maxTableLength = 10_000;

/**
 * Of everything that people read in a message. Slack's pages give no figure; others were refused from 11,341 characters
 * on, and one from 13,202: the least is played.
 */
const maxMessageLength = 11_000;

/**
 * Checks blocks as Slack does when a message is posted: by the SDK's types with the limits that their comments and
 * Slack's pages state, and by what no type can say. `place` is the pointer to the list.
 */
export function checkSlackBlocks(
  blocks: unknown,
  schema: VendorSchema,
  place = '/blocks',
): SlackRefusal | readonly SlackObject[] {
  const parsed = z.array(slackObjectSchema).safeParse(blocks);
  if (!parsed.success || isTooDeep(parsed.data)) return { error: 'invalid_blocks_format' };
  const details = [
    ...(parsed.data.length > maxBlocks
      ? [`no more than ${String(maxBlocks)} items allowed [json-pointer:${place}]`]
      : []),
    ...parsed.data.flatMap((block, index) => checkBlock(block, schema, `${place}/${String(index)}`)),
    ...checkUniqueIds(parsed.data, place),
  ];
  if (details.length > 0) return { error: 'invalid_blocks', details };
  return checkLengths(parsed.data) ?? parsed.data;
}

function checkBlock(block: SlackObject, schema: VendorSchema, pointer: string): readonly string[] {
  const { type } = block;
  if (type === undefined) return [`missing required field: type [json-pointer:${pointer}]`];
  if (typeof type !== 'string') return [`must provide a string [json-pointer:${pointer}/type]`];
  if (!isMessageBlock(type)) return [`unsupported type: ${type} [json-pointer:${pointer}/type]`];
  const definition = findBlockDefinition(type);
  const problems = definition === undefined ? [] : schema.check(definition, block);
  return [...describeProblems(problems, pointer), ...checkSection(block, pointer)];
}

/** The types let a section be empty. */
function checkSection({ type, text, fields }: SlackObject, pointer: string): readonly string[] {
  if (type !== 'section' || text !== undefined || fields !== undefined) return [];
  return [`must define either \`fields\` or \`text\` [json-pointer:${pointer}]`];
}

function checkLengths(blocks: readonly SlackObject[]): SlackRefusal | undefined {
  const { markdown, tables, all } = measureBlocks(blocks);
  if (markdown > maxMarkdownLength) return { error: 'msg_too_long' };
  if (tables > maxTableLength) {
    const details = [`the tables of a message hold no more than ${String(maxTableLength)} characters`];
    return { error: 'invalid_blocks', details };
  }
  return all > maxMessageLength ? { error: 'msg_blocks_too_long' } : undefined;
}
