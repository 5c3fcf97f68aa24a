import { z } from 'zod';

import type { VendorSchema } from '../stand-ins/vendor-schema.ts';
import { checkSlackBlocks } from './blocks/check-slack-blocks.ts';
import { checkSlackAttachments } from './check-slack-attachments.ts';
import { checkSlackMetadata } from './check-slack-metadata.ts';
import type { SlackKnobs } from './slack-knobs.ts';
import type { SlackMetadata, SlackObject } from './slack-message.ts';
import type { SlackRefusal } from './slack-refusal.ts';

/** What a message says, as far as the sender said it. */
export interface MessageContent {
  readonly text?: string;
  readonly blocks?: readonly SlackObject[];
  readonly attachments?: readonly SlackObject[];
  readonly metadata?: SlackMetadata;
  /** True: Slack warns that it has cut the text. */
  readonly isTruncated: boolean;
}

/** Slack cuts a longer text and warns: https://docs.slack.dev/changelog/2018-truncating-really-long-messages */
const maxTextLength = 40_000;
const maxMarkdownLength = 12_000;

const givenSchema = z.object({
  text: z.string().optional(),
  markdown_text: z.string().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  metadata: z.unknown().optional(),
});

/** Checks what a message is to say: the content, or Slack's refusal. An empty object as metadata means none. */
export function readMessageContent(
  given: SlackObject,
  schema: VendorSchema,
  knobs: Pick<SlackKnobs, 'long_text'>,
): MessageContent | SlackRefusal {
  const asked = givenSchema.parse(given);
  const { text, markdown_text: markdown } = asked;
  if (markdown !== undefined && (text !== undefined || asked.blocks !== undefined)) {
    return { error: 'markdown_text_conflict' };
  }
  if ((markdown?.length ?? 0) > maxMarkdownLength) return { error: 'msg_too_long' };
  const isTruncated = (text?.length ?? 0) > maxTextLength;
  if (isTruncated && knobs.long_text === 'refuse') return { error: 'msg_too_long' };
  const blocks = asked.blocks === undefined ? undefined : checkSlackBlocks(asked.blocks, schema);
  if (blocks !== undefined && 'error' in blocks) return blocks;
  const attachments =
    asked.attachments === undefined ? undefined : checkSlackAttachments(asked.attachments, schema);
  if (attachments !== undefined && 'error' in attachments) return attachments;
  const metadata = isNothing(asked.metadata) ? undefined : checkSlackMetadata(asked.metadata, schema);
  if (metadata !== undefined && 'error' in metadata) return metadata;
  const shownBlocks = markdown === undefined ? blocks : [{ type: 'markdown', text: markdown }];
  const shownText = text?.slice(0, maxTextLength) ?? markdown;
  return {
    ...(shownText === undefined ? {} : { text: shownText }),
    ...(shownBlocks === undefined ? {} : { blocks: shownBlocks }),
    ...(attachments === undefined ? {} : { attachments }),
    ...(metadata === undefined ? {} : { metadata }),
    isTruncated,
  };
}

/** Whether nobody could see anything of it. */
export function isEmptyMessage(content: Pick<MessageContent, 'text' | 'blocks' | 'attachments'>): boolean {
  const { text = '', blocks = [], attachments = [] } = content;
  return text.trim() === '' && blocks.length === 0 && attachments.length === 0;
}

/** What Slack adds to the answer when it has cut the text. */
export function describeWarnings({ isTruncated }: Pick<MessageContent, 'isTruncated'>): object {
  if (!isTruncated) return {};
  const message =
    'Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.';
  return { response_metadata: { warnings: ['message_truncated'], messages: [`[WARN] ${message}`] } };
}

function isNothing(metadata: unknown): boolean {
  return (
    metadata === undefined ||
    (typeof metadata === 'object' && metadata !== null && Object.keys(metadata).length === 0)
  );
}
