import { unescapeMrkdwn } from './escape-mrkdwn.ts';
import type { RichTextLeaf, RichTextPart, SlackBlock } from './slack-message.ts';

/** What blocks show, as plain text: for notifications, for screen readers, and where Slack refuses the blocks. Pure. */
export function readBlocks(blocks: readonly SlackBlock[]): string {
  return blocks.map(readBlock).join('\n\n');
}

function readBlock(block: SlackBlock): string {
  switch (block.type) {
    case 'header':
      return block.text.text;
    case 'context':
      return block.elements.map(({ type, text }) => (type === 'mrkdwn' ? readDate(text) : text)).join(' · ');
    case 'rich_text':
      return block.elements
        .map(readPart)
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim();
    case 'actions':
      return block.elements.map(({ text, url }) => `${text.text}: ${url}`).join('\n');
    default:
      return block satisfies never;
  }
}

/** The only markup that a message holds is a date: its last part is how it reads without Slack. */
function readDate(markup: string): string {
  return unescapeMrkdwn(/\|([^>]*)>$/.exec(markup)?.[1] ?? '');
}

function readPart(part: RichTextPart): string {
  if (part.type !== 'rich_text_list') return readLeaves(part.elements);
  return part.elements
    .map(({ elements }, at) => {
      const mark = part.style === 'ordered' ? `${String(at + 1)}.` : '•';
      const inset = '  '.repeat(part.indent);
      return `${inset}${mark} ${readLeaves(elements).replaceAll('\n', `\n${inset}  `)}`;
    })
    .join('\n');
}

/** What is struck out would say the opposite without its marks. */
function readLeaves(leaves: readonly RichTextLeaf[]): string {
  return leaves
    .map((leaf, at) => {
      const isStruck = isStruckOut(leaf);
      const open = isStruck && !isStruckOut(leaves[at - 1]) ? '~~' : '';
      const close = isStruck && !isStruckOut(leaves[at + 1]) ? '~~' : '';
      return `${open}${readLeaf(leaf)}${close}`;
    })
    .join('');
}

function isStruckOut(leaf: RichTextLeaf | undefined): boolean {
  return leaf !== undefined && leaf.type !== 'user' && leaf.style?.strike === true;
}

function readLeaf(leaf: RichTextLeaf): string {
  if (leaf.type === 'user') return '';
  if (leaf.type === 'text' || leaf.text === leaf.url) return leaf.text;
  return `${leaf.text} (${leaf.url.replace(/^mailto:/, '')})`;
}
