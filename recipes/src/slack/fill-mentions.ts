import type { SlackDirectory } from './slack-directory.ts';
import type { SlackBlock, SlackMessage } from './slack-message.ts';

/** Slack lets about 50 addresses be looked up in a minute; whoever comes later keeps a name. */
const mostAsked = 20;

/**
 * The blocks with a mention in place of each name whose address belongs to somebody of the workspace. Whoever is not
 * found, or can not be looked up, stays a name: a mention is never worth a message that does not come.
 */
export async function fillMentions(
  { blocks, mentions = [] }: SlackMessage,
  directory: SlackDirectory,
): Promise<readonly SlackBlock[]> {
  const asked = mentions.slice(0, mostAsked);
  const found = await Promise.all(
    asked.map(async (mention) => ({ mention, finding: await directory.findByEmail(mention.email) })),
  );
  return blocks.map((block, at) => {
    if (block.type !== 'rich_text') return block;
    const elements = block.elements.map((part, element) => {
      const hit = found.find(({ mention }) => mention.block === at && mention.element === element);
      if (hit?.finding.kind !== 'found' || part.type !== 'rich_text_section') return part;
      return { ...part, elements: [{ type: 'user', user_id: hit.finding.id } as const] };
    });
    return { ...block, elements };
  });
}
