import { type LooseParts, readList, readParts, readText } from './loose-parts.ts';

const marks: Readonly<Record<string, string>> = {
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  bulleted_list_item: '• ',
  numbered_list_item: '1. ',
  quote: '> ',
  toggle: '▸ ',
};

/** Notion blocks as lines of text; what is inside one is indented. */
export function listNotionLines(blocks: unknown, indent = ''): readonly string[] {
  return readList(blocks).flatMap((block) => {
    const type = readText(block['type']);
    const content = readParts(block[type]);
    const text =
      type === 'divider' ? '────────' : readMark(type, content) + readNotionText(content['rich_text']);
    const inside = content['children'] ?? block['children'];
    return [
      ...text.split('\n').map((line) => `${indent}${line}`),
      ...listRow(content, indent),
      ...listNotionLines(inside, `${indent}  `),
    ];
  });
}

/** Notion's rich text as words, with the addresses of its links. */
function readNotionText(runs: unknown): string {
  return readList(runs)
    .map((run) => {
      const { content, link } = readParts(run['text']);
      const url = readText(readParts(link)['url']);
      const words = readText(content) || readText(run['plain_text']);
      return url === '' || url === words ? words : `${words} (${url})`;
    })
    .join('');
}

function readMark(type: string, content: LooseParts): string {
  if (type === 'to_do') return content['checked'] === true ? '☑ ' : '☐ ';
  if (type === 'callout') return `${readText(readParts(content['icon'])['emoji'])} `.trimStart();
  return marks[type] ?? '';
}

function listRow(content: LooseParts, indent: string): readonly string[] {
  const cells: readonly unknown[] = Array.isArray(content['cells']) ? content['cells'] : [];
  return cells.length === 0 ? [] : [`${indent}${cells.map(readNotionText).join(' | ')}`];
}
