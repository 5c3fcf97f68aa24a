import { checkCharacters, checkLink } from './check-links.ts';
import { isObject, type JsonObject, listObjects, readText, walkJson } from './walk-json.ts';

/**
 * What Slack documents of a message (docs.slack.dev, Block Kit reference and chat.postMessage), and one rule of our own:
 * Slack refuses a message whose blocks hold too much text together, and says nowhere how much that is.
 */
const slackLimits = {
  blocks: 50,
  header: 150,
  section: 3000,
  sectionFields: 10,
  sectionField: 2000,
  contextElements: 10,
  actions: 25,
  buttonText: 75,
  buttonUrl: 3000,
  buttonValue: 2000,
  id: 255,
  markdown: 12_000,
  tableRows: 100,
  tableColumns: 20,
  tableText: 10_000,
  text: 40_000,
  allText: 9000,
} as const;

/** Names under which a block holds what people read. */
const textNames = new Set(['text', 'title', 'fallback', 'alt_text', 'description']);

/** What of a message, as chat.postMessage or chat.update takes it, Slack would refuse, cut, or take for a command. */
export function checkSlackLimits(
  message: JsonObject,
  knownUsers: ReadonlySet<string> = new Set(),
): readonly string[] {
  const blocks = listObjects(message['blocks']);
  const text = readText(message['text']);
  const problems = [
    ...atMost(blocks.length, slackLimits.blocks, 'blocks'),
    ...atMost(text.length, slackLimits.text, 'text'),
    ...atMost(countText(blocks), slackLimits.allText, 'text of all blocks'),
    ...checkCharacters(text, 'text'),
    ...checkMarkup(text, 'text', knownUsers),
    ...blocks.flatMap((block, index) => checkBlock(block, `/blocks/${index}`)),
    ...checkElements(blocks, knownUsers),
    ...checkIds(blocks),
  ];
  // Screen readers and notifications read nothing else (docs.slack.dev, chat.postMessage).
  return text.trim() === '' ? [...problems, 'text: empty'] : problems;
}

/** Characters of everything that people read in the blocks. */
function countText(blocks: readonly JsonObject[]): number {
  let sum = 0;
  for (const { name, value } of walkJson(blocks)) {
    if (typeof value === 'string' && textNames.has(name)) sum += value.length;
  }
  return sum;
}

function checkBlock(block: JsonObject, place: string): readonly string[] {
  switch (block['type']) {
    case 'header':
      return between(lengthOf(block['text']), slackLimits.header, `${place} header`);
    case 'section': {
      const fields = listObjects(block['fields']);
      return [
        ...(block['text'] === undefined
          ? []
          : between(lengthOf(block['text']), slackLimits.section, `${place} section`)),
        ...atMost(fields.length, slackLimits.sectionFields, `${place} fields`),
        ...fields.flatMap((field) => between(lengthOf(field), slackLimits.sectionField, `${place} field`)),
      ];
    }
    case 'context': {
      const elements = listObjects(block['elements']);
      return [
        ...between(elements.length, slackLimits.contextElements, `${place} context elements`),
        ...elements
          .filter(({ type }) => type !== 'image')
          .flatMap((element) =>
            between(readText(element['text']).length, slackLimits.section, `${place} context text`),
          ),
      ];
    }
    case 'actions': {
      const elements = listObjects(block['elements']);
      return [
        ...between(elements.length, slackLimits.actions, `${place} actions`),
        ...elements.flatMap((element) => checkButton(element, place)),
      ];
    }
    case 'markdown':
      return between(readText(block['text']).length, slackLimits.markdown, `${place} markdown`);
    case 'table':
    case 'data_table':
      return checkTable(block, place);
    case 'rich_text':
      return between(listObjects(block['elements']).length, Infinity, `${place} rich_text elements`);
    default:
      return [];
  }
}

function checkButton(button: JsonObject, place: string): readonly string[] {
  if (button['type'] !== 'button') return [];
  return [
    ...between(lengthOf(button['text']), slackLimits.buttonText, `${place} button text`),
    ...atMost(readText(button['url']).length, slackLimits.buttonUrl, `${place} button url`),
    ...atMost(readText(button['value']).length, slackLimits.buttonValue, `${place} button value`),
    ...atMost(
      readText(button['accessibility_label']).length,
      slackLimits.buttonText,
      `${place} button label`,
    ),
  ];
}

function checkTable(table: JsonObject, place: string): readonly string[] {
  const rows: readonly unknown[] = Array.isArray(table['rows']) ? table['rows'] : [];
  const columns = rows.map((row) => (Array.isArray(row) ? row.length : 0));
  return [
    ...between(rows.length, slackLimits.tableRows, `${place} rows`),
    ...atMost(Math.max(0, ...columns), slackLimits.tableColumns, `${place} columns`),
    ...atMost(countText([table]), slackLimits.tableText, `${place} text`),
  ];
}

/** What stands anywhere within the blocks: runs of text, mentions, links. */
function checkElements(blocks: readonly JsonObject[], knownUsers: ReadonlySet<string>): readonly string[] {
  return [...walkJson(blocks, '/blocks')].flatMap(({ pointer, name, value }) => {
    if (name === 'url' && typeof value === 'string')
      return checkLink(value).map((fault) => `${pointer}: ${fault}`);
    if (typeof value === 'string') return checkCharacters(value, pointer);
    if (!isObject(value)) return [];
    switch (value['type']) {
      case 'text':
      case 'link':
      case 'plain_text':
        return value['text'] === '' ? [`${pointer}: an empty text`] : [];
      case 'mrkdwn':
        return checkMarkup(readText(value['text']), pointer, knownUsers);
      case 'user':
        return knownUsers.has(readText(value['user_id'])) ? [] : [`${pointer}: a mention of nobody known`];
      case 'broadcast':
      case 'usergroup':
      case 'channel':
      case 'team':
        return [`${pointer}: a mention (${value['type']})`];
      default:
        return [];
    }
  });
}

/** In mrkdwn everything between < and > is a command or a link: https://docs.slack.dev/messaging/formatting-message-text */
function checkMarkup(text: string, place: string, knownUsers: ReadonlySet<string>): readonly string[] {
  return [...text.matchAll(/<([^>]*)>?/g)].flatMap(([whole, inner = '']) => {
    if (inner.startsWith('!date^')) return [];
    const user = /^@([UW][A-Z0-9]+)$/.exec(inner)?.[1];
    if (user !== undefined && knownUsers.has(user)) return [];
    if (/^[!@#]/.test(inner)) return [`${place}: active markup ${JSON.stringify(whole.slice(0, 20))}`];
    return checkLink(inner.split('|')[0] ?? '').map((fault) => `${place}: ${fault}`);
  });
}

function checkIds(blocks: readonly JsonObject[]): readonly string[] {
  const ids = blocks.map((block) => readText(block['block_id'])).filter((id) => id !== '');
  return [
    ...(new Set(ids).size < ids.length ? ['two blocks with one block_id'] : []),
    ...ids.flatMap((id) => atMost(id.length, slackLimits.id, 'block_id')),
  ];
}

function lengthOf(text: unknown): number {
  return isObject(text) ? readText(text['text']).length : 0;
}

function atMost(found: number, most: number, what: string): readonly string[] {
  return found > most ? [`${what}: ${found}, at most ${most}`] : [];
}

function between(found: number, most: number, what: string): readonly string[] {
  return found === 0 ? [`${what}: nothing`] : atMost(found, most, what);
}
