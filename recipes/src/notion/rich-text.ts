import { splitText } from '../text/cut-text.ts';
import type { Inline } from '../text/text-tree.ts';
import { type NotionAnnotations, notionLimits, type NotionText } from './notion-page.ts';

/** More would make one block heavier than a request may be. */
const blockText = 20_000;

interface Look {
  readonly annotations?: NotionAnnotations;
  readonly url?: string;
}

/** Text with its looks as Notion's runs of at most 2,000 characters each. Nothing is lost; there may be any number. */
export function toRuns(nodes: readonly Inline[]): NotionText[] {
  const merged: { text: string; look: Look }[] = [];
  const add = (text: string, look: Look): void => {
    const last = merged.at(-1);
    if (last !== undefined && isSameLook(last.look, look)) last.text += text;
    else if (text !== '') merged.push({ text, look });
  };
  for (const node of nodes) visitInline(node, {}, add);
  return merged.flatMap(({ text, look }) => makeRuns(text, look.annotations, look.url));
}

/** Plain text of one look as runs. */
export function makeRuns(text: string, annotations?: NotionAnnotations, url?: string): NotionText[] {
  if (text === '') return [];
  // Nearly every text is short, and there are thousands of them.
  if (text.length <= notionLimits.text) return [makeRun(text, annotations, url)];
  return splitText(text, notionLimits.text).map((content) => makeRun(content, annotations, url));
}

function makeRun(content: string, annotations: NotionAnnotations | undefined, url?: string): NotionText {
  const text = url === undefined ? { content } : { content, link: { url } };
  return annotations === undefined ? { type: 'text', text } : { type: 'text', text, annotations };
}

/** The runs in as many lots as blocks are needed for them: at least one. */
export function chunkRuns(runs: readonly NotionText[]): readonly (readonly NotionText[])[] {
  const length = runs.reduce((sum, run) => sum + run.text.content.length, 0);
  if (runs.length <= notionLimits.items && length <= blockText) return [runs];
  const lots: NotionText[][] = [[]];
  let room = blockText;
  for (const run of runs) {
    const last = lots.at(-1);
    if (last === undefined || last.length >= notionLimits.items || run.text.content.length > room) {
      lots.push([run]);
      room = blockText;
    } else last.push(run);
    room -= run.text.content.length;
  }
  return lots;
}

function visitInline(node: Inline, look: Look, add: (text: string, look: Look) => void): void {
  switch (node.type) {
    case 'text':
      add(node.value, look);
      return;
    case 'inlineCode':
      add(node.value, restyle(look, { code: true }));
      return;
    case 'break':
      add('\n', look);
      return;
    case 'strong':
    case 'emphasis':
    case 'delete': {
      const inner = restyle(look, marks[node.type]);
      for (const child of node.children) visitInline(child, inner, add);
      return;
    }
    case 'link': {
      const isTaken = isTakenUrl(node.url);
      const inner = isTaken ? { ...look, url: node.url } : look;
      for (const child of node.children) visitInline(child, inner, add);
      // What can't be a link is there to be read.
      const address = node.url.replace(/^mailto:/i, '');
      if (!isTaken && !saysAddress(node.children, address)) add(` (${address})`, look);
      return;
    }
    default:
      node satisfies never;
  }
}

const marks = {
  strong: { bold: true },
  emphasis: { italic: true },
  delete: { strikethrough: true },
} as const;

function restyle(look: Look, more: NotionAnnotations): Look {
  return { ...look, annotations: { ...look.annotations, ...more } };
}

function isSameLook(one: Look, other: Look): boolean {
  return one.url === other.url && JSON.stringify(one.annotations) === JSON.stringify(other.annotations);
}

/** One address that Notion does not take makes it refuse the whole page: only those that it surely takes are links. */
export function isTakenUrl(url: string): boolean {
  return url.length <= notionLimits.url && /^https?:\/\/\S/i.test(url) && URL.canParse(url);
}

function saysAddress(nodes: readonly Inline[], address: string): boolean {
  const [only] = nodes;
  return nodes.length === 1 && only?.type === 'text' && only.value === address;
}
