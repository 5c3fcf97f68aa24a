import { z } from 'zod';

import { slackObjectSchema, type SlackObject, type SlackRefusal } from './slack-message.ts';

/** The blocks a message may hold: https://docs.slack.dev/reference/block-kit/blocks (`alert` is for modals alone). */
const messageBlocks: ReadonlySet<string> = new Set([
  'actions',
  'card',
  'carousel',
  'container',
  'context',
  'context_actions',
  'data_table',
  'data_visualization',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'markdown',
  'plan',
  'rich_text',
  'section',
  'table',
  'task_card',
  'video',
]);

const maxBlocks = 50;
const maxHeaderLength = 150;
const maxSectionLength = 3000;
const maxFieldLength = 2000;
const maxFields = 10;
const maxContextElements = 10;
const maxActionElements = 25;

/** Checks blocks as Slack does when a message is posted: their kinds, their number and the lengths of what people read. */
export function checkSlackBlocks(blocks: unknown): SlackRefusal | readonly SlackObject[] {
  const parsed = z.array(slackObjectSchema).safeParse(blocks);
  if (!parsed.success) return { error: 'invalid_blocks_format' };
  const details = [
    ...(parsed.data.length > maxBlocks
      ? [`no more than ${String(maxBlocks)} items allowed [json-pointer:/blocks]`]
      : []),
    ...parsed.data.flatMap((block, index) => checkBlock(block, `/blocks/${String(index)}`)),
  ];
  return details.length > 0 ? { error: 'invalid_blocks', details } : parsed.data;
}

function checkBlock(block: SlackObject, pointer: string): readonly string[] {
  const type = block['type'];
  if (typeof type !== 'string' || !messageBlocks.has(type)) {
    return [`unsupported type: ${String(type)} [json-pointer:${pointer}/type]`];
  }
  if (type === 'header') return checkText(block['text'], `${pointer}/text`, maxHeaderLength, ['plain_text']);
  if (type === 'section') return checkSection(block, pointer);
  if (type === 'context') return checkCount(block['elements'], `${pointer}/elements`, maxContextElements);
  if (type === 'actions') return checkCount(block['elements'], `${pointer}/elements`, maxActionElements);
  if (type === 'rich_text') return checkCount(block['elements'], `${pointer}/elements`, Infinity);
  return [];
}

function checkSection(block: SlackObject, pointer: string): readonly string[] {
  const { text, fields } = block;
  if (text === undefined && fields === undefined) {
    return [`missing required field: text or fields [json-pointer:${pointer}]`];
  }
  const kinds = ['plain_text', 'mrkdwn'];
  return [
    ...(text === undefined ? [] : checkText(text, `${pointer}/text`, maxSectionLength, kinds)),
    ...(fields === undefined ? [] : checkCount(fields, `${pointer}/fields`, maxFields)),
    ...(Array.isArray(fields)
      ? fields.flatMap((field: unknown, index) =>
          checkText(field, `${pointer}/fields/${String(index)}`, maxFieldLength, kinds),
        )
      : []),
  ];
}

function checkCount(elements: unknown, pointer: string, max: number): readonly string[] {
  if (!Array.isArray(elements) || elements.length === 0)
    return [`must be a list with items [json-pointer:${pointer}]`];
  return elements.length > max ? [`no more than ${String(max)} items allowed [json-pointer:${pointer}]`] : [];
}

function checkText(
  text: unknown,
  pointer: string,
  maxLength: number,
  kinds: readonly string[],
): readonly string[] {
  const parsed = z.object({ type: z.string(), text: z.string() }).safeParse(text);
  if (!parsed.success) return [`must be a text object [json-pointer:${pointer}]`];
  if (!kinds.includes(parsed.data.type)) {
    return [`must be one of ${kinds.join(', ')} [json-pointer:${pointer}/type]`];
  }
  if (parsed.data.text.length === 0) return [`must be more than 0 characters [json-pointer:${pointer}/text]`];
  return parsed.data.text.length > maxLength
    ? [`must be less than ${String(maxLength + 1)} characters [json-pointer:${pointer}/text]`]
    : [];
}
