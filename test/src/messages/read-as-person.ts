import { readReport } from '@aftermeet/client';

import { renderFollowUp } from '../../../recipes/src/destinations/email/render-follow-up.ts';
import { makeMeetingBody } from '../../../recipes/src/destinations/http/write-meeting-body.ts';
import type { NotionBlock, NotionText } from '../../../recipes/src/destinations/notion/page.ts';
import { renderNotionPage } from '../../../recipes/src/destinations/notion/render-page.ts';
import type {
  RichTextLeaf,
  RichTextPart,
  SlackBlock,
} from '../../../recipes/src/destinations/slack/message.ts';
import { renderSlackRecap } from '../../../recipes/src/destinations/slack/render-recap.ts';
import { buildDigest } from '../../../recipes/src/report/digest.ts';
import { isObject, listObjects } from './walk-json.ts';

/** The texts of a report, as the service sends them. */
export interface ReportTexts {
  readonly summary?: string;
  readonly decisions?: string;
  readonly tasks?: unknown;
  readonly participants?: readonly object[];
  /** Speaker and words. */
  readonly turns?: readonly (readonly [string, string])[];
}

export const readerNames = ['slack', 'notion', 'mail', 'mailText', 'http'] as const;

/**
 * What a person reads at each destination: lists with the numbers that Slack, Notion and a browser show, bold as `⟪…⟫`, struck
 * text as `~~…~~`, and behind each link its address in `⟦…⟧`.
 */
export function readAsPerson(texts: ReportTexts): Readonly<Record<(typeof readerNames)[number], string>> {
  const { summary = '', decisions = '', tasks = '', participants = [], turns = [] } = texts;
  const report = readReport('m_1', {
    name: 'Weekly',
    participants,
    transcript: turns.map(([speaker, text]) => ({ speaker, text })),
    templates: [
      {
        name: 'default-meeting',
        entities: [
          { name: 'summary', text: summary },
          { name: 'decisions', text: decisions },
          { name: 'tasks', text: tasks },
        ],
      },
    ],
  });
  const digest = buildDigest(report, { withTranscript: true });
  const mail = renderFollowUp(digest);
  const parts = new Set(['summary', 'decisions', 'tasks', 'transcript'] as const);
  const body: unknown = JSON.parse(JSON.stringify(makeMeetingBody(digest, { parts, hasEmails: false })));
  return {
    slack: renderSlackRecap(digest)
      .flatMap(({ blocks }) => blocks.map(readSlackBlock))
      .join('\n'),
    notion: readNotion(renderNotionPage(digest).blocks),
    // Behind the line that an inbox shows.
    mail: readHtml(mail.html.slice(mail.html.indexOf('<h1'))),
    mailText: mail.text,
    http: readBody(isObject(body) ? body['data'] : undefined),
  };
}

function readSlackBlock(block: SlackBlock): string {
  if (block.type === 'header') return block.text.text;
  if (block.type === 'section') return block.text.text;
  if (block.type === 'context') return block.elements.map(({ text }) => text).join(' ');
  return block.type === 'actions' ? '' : block.elements.map(readSlackPart).join('\n');
}

function readSlackPart(part: RichTextPart): string {
  if (part.type !== 'rich_text_list') {
    const text = part.elements.map(readLeaf).join('');
    return part.type === 'rich_text_quote' ? `❝${text}` : text;
  }
  return part.elements
    .map(({ elements }, at) => {
      const bullet = part.style === 'ordered' ? `${String(at + 1)}.` : '•';
      return `${'  '.repeat(part.indent ?? 0)}${bullet} ${elements.map(readLeaf).join('')}`;
    })
    .join('\n');
}

function readLeaf(leaf: RichTextLeaf): string {
  if (leaf.type === 'user') return `@${leaf.user_id}`;
  const { bold = false, strike = false } = leaf.style ?? {};
  const text = leaf.type === 'link' ? `${leaf.text ?? ''}⟦${leaf.url}⟧` : leaf.text;
  return mark(text, bold, strike);
}

function mark(text: string, isBold: boolean, isStruck: boolean): string {
  const bold = isBold && text.trim() !== '' ? `⟪${text}⟫` : text;
  return isStruck ? `~~${bold}~~` : bold;
}

function readNotion(blocks: readonly NotionBlock[], depth = 0): string {
  let number = 0;
  return blocks
    .map((block) => {
      const content: unknown = Object.entries(block).find(([name]) => name === block.type)?.[1];
      if (!isObject(content)) return '';
      number = block.type === 'numbered_list_item' ? number + 1 : 0;
      const text = readRuns(listObjects(content['rich_text']));
      const cells = Array.isArray(content['cells']) ? content['cells'] : [];
      const row = cells.map((cell: unknown) => readRuns(listObjects(cell))).join(' | ');
      const marks: Readonly<Record<string, string>> = {
        numbered_list_item: `${String(number)}. `,
        bulleted_list_item: '• ',
        to_do: content['checked'] === true ? '[x] ' : '[ ] ',
        quote: '❝',
      };
      const inner = listObjects(content['children']) as unknown as readonly NotionBlock[];
      const own = `${'  '.repeat(depth)}${marks[block.type] ?? ''}${text}${row}`;
      return inner.length === 0 ? own : `${own}\n${readNotion(inner, depth + 1)}`;
    })
    .join('\n');
}

function readRuns(runs: readonly object[]): string {
  // What renders pages makes them.
  return (runs as readonly NotionText[])
    .map(({ text, annotations = {} }) => {
      const url = text.link?.url;
      const words = url === undefined ? text.content : `${text.content}⟦${url}⟧`;
      return mark(words, annotations.bold === true, annotations.strikethrough === true);
    })
    .join('');
}

/** Our own HTML, which is well-formed. */
function readHtml(html: string): string {
  const lists: { isOrdered: boolean; next: number }[] = [];
  const links: string[] = [];
  const read = (tag: string, isEnd: boolean, attributes: string): string => {
    if (tag === 'ol' || tag === 'ul') {
      if (isEnd) lists.pop();
      else
        lists.push({ isOrdered: tag === 'ol', next: Number(/start="(\d+)"/.exec(attributes)?.[1] ?? '1') });
      return '\n';
    }
    const list = lists.at(-1);
    if (tag === 'li' && !isEnd && list !== undefined) {
      list.next += 1;
      return `\n${'  '.repeat(lists.length - 1)}${list.isOrdered ? `${String(list.next - 1)}.` : '•'} `;
    }
    if (tag === 'a') {
      if (!isEnd) links.push(/href="([^"]*)"/.exec(attributes)?.[1] ?? '');
      return isEnd ? `⟦${links.pop() ?? ''}⟧` : '';
    }
    if (tag === 'strong') return isEnd ? '⟫' : '⟪';
    if (tag === 's') return '~~';
    if (tag === 'blockquote' && !isEnd) return '\n❝';
    return ['br', 'p', 'h1', 'h2', 'h3', 'h4', 'tr', 'td', 'th', 'table', 'div', 'blockquote'].includes(tag)
      ? '\n'
      : '';
  };
  return unescape(
    html
      .replaceAll(/<(\/?)([a-z]\w*)([^>]*)>/g, (_all, slash: string, tag: string, attributes: string) =>
        read(tag, slash !== '', attributes),
      )
      .replaceAll(/\n\s*\n/g, '\n'),
  );
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

function unescape(html: string): string {
  return html.replaceAll(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => entities[entity] ?? entity);
}

/** The texts of a posted body, in their order. */
function readBody(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(readBody).join('\n');
  return isObject(value)
    ? Object.values(value)
        .map(readBody)
        .filter((text) => text !== '')
        .join('\n')
    : '';
}
