import { refuseNotionBody, type NotionRefusal } from './notion-refusal.ts';

const mediaTypes: ReadonlySet<string> = new Set([
  'image',
  'video',
  'pdf',
  'file',
  'audio',
  'embed',
  'bookmark',
]);

/**
 * Refuses links that are none, in the words of Notion: the whole page fails with one. Web and mail addresses are taken.
 * What a URL property holds is not looked at; Notion takes any text there.
 */
export function checkAddresses(value: unknown, key = '', media = ''): NotionRefusal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('url' in value && typeof value.url === 'string') {
    if (key === 'link' && !isAddress(value.url)) return refuseNotionBody('Invalid URL for link.');
    const isMedia = media !== '' && (key === media || key === 'external');
    if (isMedia && !isAddress(value.url)) {
      return refuseNotionBody(`Content creation Failed. Fix the following: \nInvalid ${media} url.`);
    }
  }
  for (const [inner, part] of Object.entries(value)) {
    const refusal = checkAddresses(
      part,
      Array.isArray(value) ? key : inner,
      mediaTypes.has(inner) ? inner : media,
    );
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isAddress(text: string): boolean {
  return /^(?:https?:|mailto:)/i.test(text) && URL.canParse(text);
}
