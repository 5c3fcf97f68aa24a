import { cutText } from '../text/cut-text.ts';
import { escapeWithin, unescapeMrkdwn } from './escape-mrkdwn.ts';
import { textLeaf } from './rich-text-leaves.ts';
import type { RichTextLeaf, SlackMessage } from './slack-message.ts';

/** Far below every limit that Slack has stated or shown. */
const maxLength = 3000;

/** The same message as one plain text with its link, for when Slack refuses its blocks. Pure. */
export function simplifyMessage({ text, blocks }: SlackMessage): SlackMessage {
  const plain = cutText(unescapeMrkdwn(text), maxLength);
  const links = blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.map(({ url, text: label }): RichTextLeaf => ({ type: 'link', url, text: label.text }))
      : [],
  );
  const elements = [textLeaf(plain), ...links.flatMap((link) => [textLeaf('\n'), link])];
  const section = { type: 'rich_text_section', elements } as const;
  return {
    text: escapeWithin(plain, maxLength),
    blocks: [{ type: 'rich_text', elements: [{ ...section, elements: [...elements] }] }],
  };
}
