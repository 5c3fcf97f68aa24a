import { cutText } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { formatMeetingWhen } from '../../report/format-when.ts';
import { listFacts } from '../../report/people.ts';
import type { Look } from '../../words/index.ts';
import {
  type MrkdwnText,
  type PlainText,
  type RichTextLeaf,
  type RichTextPart,
  type SlackBlock,
  slackLimits,
  type SlackMention,
  type SlackMessage,
  type FlowPart,
} from './message.ts';

/** A block, or the content of one rich_text block and whether the people in it are mentioned. */
export type UnsplitBlock =
  | SlackBlock
  | { readonly flow: readonly FlowPart[]; readonly hasMentions?: boolean };

const contextLimits = { facts: 400, tags: 200 } as const;

/** A message of these blocks with its fallback text. An empty flow makes no block. */
export function composeMessage(drafts: readonly UnsplitBlock[]): SlackMessage {
  const blocks: SlackBlock[] = [];
  const mentions: SlackMention[] = [];
  for (const draft of drafts) {
    if ('type' in draft) {
      blocks.push(draft);
      continue;
    }
    if (draft.flow.length === 0) continue;
    draft.flow.forEach(({ mention }, element) => {
      if (draft.hasMentions !== true || mention === undefined) return;
      mentions.push({ block: blocks.length, element, ...mention });
    });
    blocks.push({ type: 'rich_text', elements: draft.flow.map(({ part }) => part) });
  }
  const text = escapeToLength(blocksToText(blocks), slackLimits.fallback);
  return { text, blocks, ...(mentions.length === 0 ? {} : { mentions }) };
}

export function headerBlock(title: string): SlackBlock {
  return { type: 'header', text: plainText(cutText(title, slackLimits.header)) };
}

/** The line under the title: when, how long, who, where, and the tags. No block if all of it is empty. */
export function contextBlocks(digest: Digest, look: Look): readonly SlackBlock[] {
  const { tags } = digest;
  const when = dateText(digest, look);
  const lines = [
    cutText(listFacts(digest, look.words).join(' · '), contextLimits.facts),
    cutText(tags.slice(0, 20).join(', '), contextLimits.tags),
  ].filter((line) => line.trim() !== '');
  const elements = [...(when === undefined ? [] : [when]), ...lines.map(plainText)];
  return elements.length === 0 ? [] : [{ type: 'context', elements }];
}

/**
 * The start in the reader's time zone (docs.slack.dev, Formatting message text, dates). Where Slack cannot convert it,
 * as in a notification, it shows the time zone of the meeting, or UTC.
 */
function dateText(
  start: Pick<Digest, 'startedAt' | 'startedLocal' | 'utcOffset'>,
  look: Look,
): MrkdwnText | undefined {
  const seconds = Math.floor(Date.parse(start.startedAt ?? '') / 1000);
  const fallback = formatMeetingWhen(start, look);
  if (Number.isNaN(seconds) || fallback === undefined) return undefined;
  return {
    type: 'mrkdwn',
    text: `<!date^${String(seconds)}^{date_short_pretty} {time}|${escapeMrkdwn(fallback)}>`,
  };
}

/** A button that opens `link`; no block without a link. `label` is what a screen reader says. */
export function linkButton(link: string | undefined, text: string, label: string): readonly SlackBlock[] {
  if (link === undefined || link.length > slackLimits.url) return [];
  const button = {
    type: 'button',
    text: plainText(cutText(text, slackLimits.button)),
    url: link,
    action_id: 'open_report',
    accessibility_label: cutText(label, slackLimits.button),
  } as const;
  return [{ type: 'actions', elements: [button] }];
}

export function plainText(text: string): PlainText {
  return { type: 'plain_text', text, emoji: false };
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes the three characters that have a meaning in mrkdwn. */
export function escapeMrkdwn(text: string): string {
  return text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
}

/** Escaped text of at most `max` UTF-16 units, or of what `measure` counts. Never cuts inside an escape. */
export function escapeToLength(text: string, max: number, measure = countUnits): string {
  let plain = cutText(text, max);
  let escaped = escapeMrkdwn(plain);
  for (let size = measure(escaped); size > max; size = measure(escaped)) {
    // The longest escape, `&amp;`, has five characters.
    plain = cutText(plain, plain.length - Math.ceil((size - max) / 5));
    escaped = escapeMrkdwn(plain);
  }
  return escaped;
}

function countUnits(text: string): number {
  return text.length;
}

export function unescapeMrkdwn(escaped: string): string {
  return escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Blocks as plain text: for notifications, for screen readers, and where Slack rejects the blocks. */
export function blocksToText(blocks: readonly SlackBlock[]): string {
  return blocks.map(blockToText).join('\n\n');
}

function blockToText(block: SlackBlock): string {
  switch (block.type) {
    case 'header':
      return block.text.text;
    case 'context':
      return block.elements
        .map(({ type, text }) => (type === 'mrkdwn' ? dateToText(text) : text))
        .join(' · ');
    case 'rich_text':
      return block.elements
        .map(partToText)
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim();
    case 'section':
      return block.text.text;
    case 'actions':
      return block.elements.map(({ text, url }) => `${text.text}: ${url}`).join('\n');
    default:
      return block satisfies never;
  }
}

/** Dates are the only mrkdwn we write; the last part of a date is its plain text. */
function dateToText(markup: string): string {
  return unescapeMrkdwn(/\|([^>]*)>$/.exec(markup)?.[1] ?? '');
}

function partToText(part: RichTextPart): string {
  if (part.type !== 'rich_text_list') return leavesToText(part.elements);
  return part.elements
    .map(({ elements }, at) => {
      const mark = part.style === 'ordered' ? `${String(at + 1)}.` : '•';
      const inset = '  '.repeat(part.indent);
      return `${inset}${mark} ${leavesToText(elements).replaceAll('\n', `\n${inset}  `)}`;
    })
    .join('\n');
}

/** Keeps the marks of struck-out text: without them it would say the opposite. */
export function leavesToText(leaves: readonly RichTextLeaf[]): string {
  return leaves
    .map((leaf, at) => {
      const isStruck = isStruckOut(leaf);
      const open = isStruck && !isStruckOut(leaves[at - 1]) ? '~~' : '';
      const close = isStruck && !isStruckOut(leaves[at + 1]) ? '~~' : '';
      return `${open}${leafToText(leaf)}${close}`;
    })
    .join('');
}

function isStruckOut(leaf: RichTextLeaf | undefined): boolean {
  return leaf !== undefined && leaf.type !== 'user' && leaf.style?.strike === true;
}

function leafToText(leaf: RichTextLeaf): string {
  if (leaf.type === 'user') return '';
  if (leaf.type === 'text' || leaf.text === leaf.url) return leaf.text;
  return `${leaf.text} (${leaf.url.replace(/^mailto:/, '')})`;
}
