import type { SlackMessage } from '../slack/slack-message.ts';
import { type LooseParts, readList, readParts, readText } from './loose-parts.ts';
import { showMentions } from './show-mentions.ts';

/** A Slack message as lines of text: whom it is for, and block by block; of one without blocks its text. */
export function listSlackLines(message: SlackMessage): readonly string[] {
  const { text, person, file } = message;
  const lines = showMentions(message).flatMap((block) => listBlock(block));
  return [
    ...(person === undefined ? [] : listPerson(person)),
    ...(file === undefined ? [] : [`File: ${file.name}.${file.format}`]),
    ...(lines.length > 0 ? lines : readMarked(text).split('\n')),
  ];
}

function listPerson({ userId, email, otherwise }: NonNullable<SlackMessage['person']>): readonly string[] {
  const who = userId ?? email ?? 'somebody whose address is not known';
  const other = otherwise === undefined ? 'nobody is told' : `it is posted to ${otherwise.channel}`;
  return [`To: ${who}${userId === undefined ? ` (when Slack does not know the person, ${other})` : ''}`, ''];
}

function listBlock(block: LooseParts): readonly string[] {
  switch (block['type']) {
    case 'header':
      return [readWords(block['text']), ''];
    case 'section':
      return listSection(block);
    case 'context':
      return [readList(block['elements']).map(readWords).join('  '), ''];
    case 'divider':
      return ['────────'];
    case 'actions':
      return [readList(block['elements']).map(readButton).join('  ')];
    case 'rich_text':
      return listRichText(block);
    case 'markdown':
      return readText(block['text']).split('\n');
    case 'table':
      return listTable(block);
    default:
      return [`(${readText(block['type']) || 'something else'}) ${readText(block['alt_text'])}`.trim()];
  }
}

function listSection(block: LooseParts): readonly string[] {
  const accessory = readParts(block['accessory']);
  return [
    ...(block['text'] === undefined ? [] : readWords(block['text']).split('\n')),
    ...readList(block['fields']).map(readWords),
    ...(accessory['type'] === 'button' ? [readButton(accessory)] : []),
  ];
}

function readButton(button: LooseParts): string {
  return `[${readWords(button['text'])}] ${readText(button['url'])}`.trim();
}

/** A text object: plain, or Slack's own markup. */
function readWords(value: unknown): string {
  const { type, text, alt_text: alternative } = readParts(value);
  return type === 'mrkdwn' ? readMarked(readText(text)) : readText(text) || readText(alternative);
}

/** Slack's markup as a reader sees it, but for its stars. */
function readMarked(text: string): string {
  return text
    .replaceAll(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll(/<!(channel|here|everyone)[^>]*>/g, '@$1')
    .replaceAll(/<(https?:[^|>]*|mailto:[^|>]*)(?:\|([^>]*))?>/g, (_whole, url: string, label?: string) =>
      label === undefined || label === url ? url : `${label} (${url})`,
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function listTable(block: LooseParts): readonly string[] {
  const rows: readonly unknown[] = Array.isArray(block['rows']) ? block['rows'] : [];
  return rows.map((row) =>
    readList(row)
      .map((cell) => (cell['type'] === 'rich_text' ? listRichText(cell).join(' ') : readText(cell['text'])))
      .join(' | '),
  );
}

function listRichText(block: LooseParts): readonly string[] {
  return readList(block['elements']).flatMap((element) => {
    const lines = readInline(element).split('\n');
    switch (element['type']) {
      case 'rich_text_list':
        return listItems(element);
      case 'rich_text_quote':
        return lines.map((line) => `> ${line}`);
      case 'rich_text_preformatted':
        return lines.map((line) => `    ${line}`);
      default:
        return lines;
    }
  });
}

function listItems(list: LooseParts): readonly string[] {
  const indent = '  '.repeat(Number(list['indent'] ?? 0));
  const first = Number(list['offset'] ?? 0) + 1;
  return readList(list['elements']).map((item, index) => {
    const mark = list['style'] === 'ordered' ? `${first + index}.` : '•';
    return `${indent}${mark} ${readInline(item).replaceAll('\n', `\n${indent}  `)}`;
  });
}

function readInline(element: LooseParts): string {
  return readList(element['elements']).map(readLeaf).join('');
}

function readLeaf(part: LooseParts): string {
  const text = readText(part['text']);
  switch (part['type']) {
    case 'link': {
      const url = readText(part['url']);
      return text === '' || text === url ? url : `${text} (${url})`;
    }
    case 'user':
      return `@${text || readText(part['name']) || readText(part['user_id'])}`;
    case 'broadcast':
      return `@${readText(part['range'])}`;
    case 'channel':
      return `#${readText(part['channel_id'])}`;
    case 'emoji':
      return `:${readText(part['name'])}:`;
    case 'date':
      return readText(part['fallback']);
    default:
      return text || readText(part['name']);
  }
}
