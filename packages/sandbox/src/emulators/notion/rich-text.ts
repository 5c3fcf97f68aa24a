import { toObject, toObjects, toText, type LooseObject } from '@aftermeet/pages';

/** One item of rich text in the shape of answers: https://developers.notion.com/reference/rich-text */
interface RichTextItem {
  readonly type: 'text';
  readonly annotations: LooseObject;
  readonly plain_text: string;
  readonly href: string | null;
  readonly text: { readonly content: string; readonly link: { readonly url: string } | null };
}

const plainAnnotations = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: 'default',
};

/** Rich text from a request that fits the schema, in the shape of answers. */
export function toRichText(sent: unknown): readonly RichTextItem[] {
  return toObjects(sent).map((item) => {
    const annotations = { ...plainAnnotations, ...toObject(item['annotations']) };
    const text = toObject(item['text']);
    const content = toText(text['content']);
    const { url } = toObject(text['link']);
    const href = typeof url === 'string' ? url : null;
    const link = href === null ? null : { url: href };
    return { type: 'text', text: { content, link }, annotations, plain_text: content, href };
  });
}

export function richTextOf(content: string): readonly RichTextItem[] {
  return toRichText([{ text: { content } }]);
}

/** The text of rich text in the shape of answers. */
export function toPlainText(richText: unknown): string {
  return toObjects(richText)
    .map((item) => toText(item['plain_text']))
    .join('');
}
