import { readList, readParts, readText, type Parts } from '../web/read-parts.ts';

/** One piece of rich text as answers carry it: https://developers.notion.com/reference/rich-text */
interface NotionTextItem {
  readonly type: 'text' | 'mention' | 'equation';
  readonly annotations: Parts;
  readonly plain_text: string;
  readonly href: string | null;
  readonly text?: { readonly content: string; readonly link: { readonly url: string } | null };
  readonly mention?: Parts;
  readonly equation?: Parts;
}

export type NotionText = readonly NotionTextItem[];

/** What a mention is called: the name of a user, the title of a page. */
export type NameMention = (kind: string, id: string) => string;

const plainAnnotations = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: 'default',
};

/** Reads rich text that a request carried, and whose shape is right, into the shape of answers. */
export function readNotionText(sent: unknown, nameMention: NameMention): NotionText {
  return readList(sent).map((item) => {
    const annotations = { ...plainAnnotations, ...readParts(item['annotations']) };
    if (item['equation'] !== undefined) {
      const equation = readParts(item['equation']);
      const letters = readText(equation['expression']);
      return { type: 'equation', equation, annotations, plain_text: letters, href: null };
    }
    if (item['mention'] !== undefined)
      return readMention(readParts(item['mention']), annotations, nameMention);
    const text = readParts(item['text']);
    const content = readText(text['content']);
    const url = readParts(text['link'])['url'];
    const href = typeof url === 'string' ? url : null;
    const link = href === null ? null : { url: href };
    return { type: 'text', text: { content, link }, annotations, plain_text: content, href };
  });
}

function readMention(mention: Parts, annotations: Parts, nameMention: NameMention): NotionTextItem {
  const kind = Object.keys(mention).find((key) => key !== 'type') ?? '';
  const target = readParts(mention[kind]);
  const id = readText(target['id']);
  const letters =
    kind === 'date'
      ? [target['start'], target['end']].map(readText).filter(Boolean).join(' → ')
      : nameMention(kind, id);
  return {
    type: 'mention',
    mention: { type: kind, [kind]: describeTarget(kind, mention[kind]) },
    annotations,
    plain_text: letters,
    href: null,
  };
}

function describeTarget(kind: string, sent: unknown): unknown {
  if (kind === 'date') return readNotionDate(sent);
  return kind === 'user' ? { object: 'user', ...readParts(sent) } : sent;
}

/** A date as answers carry it, whole. */
export function readNotionDate(sent: unknown): object {
  const { start, end = null, time_zone: zone = null } = readParts(sent);
  return { start, end, time_zone: zone };
}

/** Plain letters as rich text. */
export function writeNotionText(content: string): NotionText {
  return readNotionText([{ text: { content } }], () => '');
}

/** The letters alone. */
export function readPlainText(text: unknown): string {
  return readList(text)
    .map((item) => readText(item['plain_text']))
    .join('');
}
