import { z } from 'zod';

import type { SlackMention, SlackMessage } from '../destinations/slack/message.ts';

/**
 * Puts an @ in front of each name that becomes a mention if its address belongs to a member of the workspace. Only Slack knows
 * whether it does.
 */
export function showMentions({
  blocks,
  mentions = [],
}: Pick<SlackMessage, 'blocks' | 'mentions'>): readonly LooseParts[] {
  return readList(blocks).map((block, at) => {
    const here = mentions.filter((mention) => mention.block === at);
    return here.length === 0 ? block : { ...block, elements: readList(block['elements']).map(mark(here)) };
  });
}

function mark(mentions: readonly SlackMention[]) {
  return (section: LooseParts, at: number): LooseParts => {
    if (!mentions.some(({ element }) => element === at)) return section;
    const [first, ...others] = readList(section['elements']);
    const { text, ...leaf } = readParts(first);
    return { ...section, elements: [{ ...leaf, text: `@${readText(text)}` }, ...others] };
  };
}

const recordSchema = z.record(z.string(), z.unknown());

/** A JSON object of any shape, so that unknown kinds of blocks are shown too. */
type LooseParts = z.infer<typeof recordSchema>;

/** The value as an object; empty when it is none. */
function readParts(value: unknown): LooseParts {
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : {};
}

/** The value as a list of objects; empty when it is none. */
function readList(value: unknown): readonly LooseParts[] {
  return Array.isArray(value) ? value.map(readParts) : [];
}

/** The value as text; empty when it is neither text nor number. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
