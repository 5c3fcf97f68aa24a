import {
  html,
  type LooseObject,
  type Markup,
  type NotionBlock,
  renderNotionBlocks,
  toObject,
  toObjects,
  toText,
} from '@aftermeet/pages';

import { contentOf, type NotionBlockType, type NotionPage, type NotionText } from './page.ts';

/** A page or a row as its reader sees it: title, properties, blocks. */
export function drawNotionPage({ title, fields, blocks }: NotionPage): Markup {
  return html`<h1>${title}</h1>
    <p class="small soft box">${writeFields(fields).join('\n')}</p>
    ${renderNotionBlocks(toObjects(blocks).map(toReadBlock))}`;
}

/** The same as plain text. */
export function writeNotionPage({ title, fields, blocks }: NotionPage): string {
  return [title, ...writeFields(fields), '', ...blocks.flatMap(writeBlock)].join('\n');
}

/** The lines of a block; what is inside it is indented. */
function writeBlock(block: NotionPage['blocks'][number]): readonly string[] {
  const { rich_text: texts = [], cells, checked, children = [] } = contentOf(block);
  if (block.type === 'divider') return ['---'];
  const words = cells === undefined ? writeText(texts) : cells.map(writeText).join(' | ');
  const mark = block.type === 'to_do' ? (checked === true ? '☑ ' : '☐ ') : (marks[block.type] ?? '');
  const inner = children.flatMap(writeBlock);
  // A table has rows and no words of its own.
  if (block.type === 'table') return inner;
  return [...`${mark}${words}`.split('\n'), ...inner.map((line) => `  ${line}`)];
}

/** Numbers are Notion's to give. */
const marks: { readonly [Type in NotionBlockType]?: string } = {
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  bulleted_list_item: '• ',
  numbered_list_item: '1. ',
  quote: '> ',
};

function writeText(texts: readonly NotionText[]): string {
  return texts
    .map(({ text: { content, link }, annotations }) => {
      const words = annotations?.strikethrough === true ? `~~${content}~~` : content;
      return link === undefined || link.url === content ? words : `${words} (${link.url})`;
    })
    .join('');
}

function writeFields(fields: NotionPage['fields']): readonly string[] {
  return Object.entries(fields).map(([name, value]) => `${name}: ${formatField(value)}`);
}

/** The value of a property of any type. */
function formatField(value: unknown): string {
  const { text, start, end, words, number, names, url, name, title } = toObject(value);
  const dates = [toText(start), toText(end)].filter((date) => date !== '').join(' – ') || undefined;
  const found = text ?? dates ?? words ?? number ?? names ?? name ?? title ?? url;
  return [found].flat().map(toText).join(', ');
}

/** Converts a block as it is sent to a block as Notion returns it. */
function toReadBlock(block: LooseObject): NotionBlock {
  const type = toText(block['type']);
  const { children, ...content } = toObject(block[type]);
  const converted = Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, toReadValue(name, value)]),
  );
  return { type, content: converted, children: toObjects(children ?? block['children']).map(toReadBlock) };
}

function toReadValue(name: string, value: unknown): unknown {
  if (name === 'rich_text' || name === 'caption') return toObjects(value).map(toReadText);
  if (name === 'cells' && Array.isArray(value)) return value.map((cell) => toObjects(cell).map(toReadText));
  return value;
}

/** Notion returns the words of a rich text and its address a second time. */
function toReadText(richText: LooseObject): LooseObject {
  const { content, link } = toObject(richText['text']);
  const { url } = toObject(link);
  return { plain_text: content, ...(url === undefined ? {} : { href: url }), ...richText };
}
