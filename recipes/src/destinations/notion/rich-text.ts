import { splitText } from '../../report/clean-text.ts';
import type { Inline } from '../../report/text-tree.ts';
import { type NotionAnnotations, notionLimits, type NotionText } from './page.ts';

/** Characters of one block; a longer text would make it larger than a request. */
const maxBlockText = 20_000;

interface RunStyle {
  readonly annotations?: NotionAnnotations;
  readonly url?: string;
}

/** Converts text to any number of runs of at most 2,000 characters each. */
export function toRuns(nodes: readonly Inline[]): NotionText[] {
  const merged: { text: string; style: RunStyle }[] = [];
  const add = (text: string, style: RunStyle): void => {
    const last = merged.at(-1);
    if (last !== undefined && isSameStyle(last.style, style)) last.text += text;
    else if (text !== '') merged.push({ text, style });
  };
  for (const node of nodes) addInline(node, {}, add);
  return merged.flatMap(({ text, style }) => makeRuns(text, style.annotations, style.url));
}

/** Plain text in one style as runs. */
export function makeRuns(text: string, annotations?: NotionAnnotations, url?: string): NotionText[] {
  if (text === '') return [];
  // A shortcut for the thousands of short texts of a transcript.
  if (text.length <= notionLimits.text) return [makeRun(text, annotations, url)];
  return splitText(text, notionLimits.text).map((content) => makeRun(content, annotations, url));
}

function makeRun(content: string, annotations: NotionAnnotations | undefined, url?: string): NotionText {
  const text = url === undefined ? { content } : { content, link: { url } };
  return annotations === undefined ? { type: 'text', text } : { type: 'text', text, annotations };
}

/** Divides runs among as many blocks as they need: at least one. */
export function chunkRuns(runs: readonly NotionText[]): readonly (readonly NotionText[])[] {
  const length = runs.reduce((sum, run) => sum + run.text.content.length, 0);
  if (runs.length <= notionLimits.items && length <= maxBlockText) return [runs];
  const chunks: NotionText[][] = [[]];
  let left = maxBlockText;
  for (const run of runs) {
    const last = chunks.at(-1);
    if (last === undefined || last.length >= notionLimits.items || run.text.content.length > left) {
      chunks.push([run]);
      left = maxBlockText;
    } else last.push(run);
    left -= run.text.content.length;
  }
  return chunks;
}

/** Whether Notion accepts the address as a link. A single one that it rejects would make it reject the page. */
export function isLinkUrl(url: string): boolean {
  return url.length <= notionLimits.url && /^https?:\/\/\S/i.test(url) && URL.canParse(url);
}

function addInline(node: Inline, style: RunStyle, add: (text: string, style: RunStyle) => void): void {
  switch (node.type) {
    case 'text':
      add(node.value, style);
      return;
    case 'inlineCode':
      add(node.value, annotate(style, { code: true }));
      return;
    case 'break':
      add('\n', style);
      return;
    case 'strong':
    case 'emphasis':
    case 'delete': {
      const inner = annotate(style, annotationOf[node.type]);
      for (const child of node.children) addInline(child, inner, add);
      return;
    }
    case 'link': {
      const isLink = isLinkUrl(node.url);
      const inner = isLink ? { ...style, url: node.url } : style;
      for (const child of node.children) addInline(child, inner, add);
      // An address that cannot be a link is shown as text.
      const address = node.url.replace(/^mailto:/i, '');
      if (!isLink && !isText(node.children, address)) add(` (${address})`, style);
      return;
    }
    default:
      node satisfies never;
  }
}

const annotationOf = {
  strong: { bold: true },
  emphasis: { italic: true },
  delete: { strikethrough: true },
} as const;

function annotate(style: RunStyle, more: NotionAnnotations): RunStyle {
  return { ...style, annotations: { ...style.annotations, ...more } };
}

function isSameStyle(one: RunStyle, other: RunStyle): boolean {
  return one.url === other.url && JSON.stringify(one.annotations) === JSON.stringify(other.annotations);
}

function isText(nodes: readonly Inline[], text: string): boolean {
  const [only] = nodes;
  return nodes.length === 1 && only?.type === 'text' && only.value === text;
}
