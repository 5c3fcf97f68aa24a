import type { SlackMention, SlackMessage } from '../slack/slack-message.ts';
import { type LooseParts, readList, readParts, readText } from './loose-parts.ts';

/**
 * The message with an @ in front of each name that becomes a mention, where its address belongs to somebody of the
 * workspace: Slack alone knows that.
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
