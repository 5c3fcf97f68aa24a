import { checkCharacters, checkLink } from './check-links.ts';
import { isObject, type JsonObject, listObjects, readText, walkJson } from './walk-json.ts';

/**
 * Slack's documented limits of a message (docs.slack.dev, Block Kit reference and chat.postMessage). `allText` is ours: Slack
 * rejects a message whose blocks hold too much text together, and documents no number.
 */
const slackLimits = {
  blocks: 50,
  header: 150,
  contextElements: 10,
  contextText: 3000,
  actions: 25,
  buttonText: 75,
  buttonUrl: 3000,
  id: 255,
  text: 40_000,
  allText: 9000,
} as const;

/** What Slack would reject, cut or take for a command in a message for chat.postMessage or chat.update. */
export function checkSlackLimits(
  message: JsonObject,
  knownUsers: ReadonlySet<string> = new Set(),
): readonly string[] {
  const blocks = listObjects(message['blocks']);
  const text = readText(message['text']);
  return [
    ...atMost(blocks.length, slackLimits.blocks, 'blocks'),
    ...atMost(text.length, slackLimits.text, 'text'),
    ...atMost(countText(blocks), slackLimits.allText, 'text of all blocks'),
    ...checkCharacters(text, 'text'),
    ...checkMrkdwn(text, 'text', knownUsers),
    ...blocks.flatMap((block, index) => checkBlock(block, `/blocks/${index}`)),
    ...[...walkJson(blocks, '/blocks')].flatMap((place) => checkValue(place, knownUsers)),
    ...checkIds(blocks),
    // Notifications and screen readers use nothing else (docs.slack.dev, chat.postMessage).
    ...(text.trim() === '' ? ['text: empty'] : []),
  ];
}

/** Characters that people see in the blocks. */
function countText(blocks: readonly JsonObject[]): number {
  let sum = 0;
  for (const { name, value } of walkJson(blocks)) {
    if (name === 'text' && typeof value === 'string') sum += value.length;
  }
  return sum;
}

function checkBlock(block: JsonObject, place: string): readonly string[] {
  const elements = listObjects(block['elements']);
  switch (block['type']) {
    case 'header':
      return between(lengthOf(block['text']), slackLimits.header, `${place} header`);
    case 'context':
      return [
        ...between(elements.length, slackLimits.contextElements, `${place} context elements`),
        ...elements.flatMap((element) =>
          between(readText(element['text']).length, slackLimits.contextText, `${place} context text`),
        ),
      ];
    case 'actions':
      return [
        ...between(elements.length, slackLimits.actions, `${place} actions`),
        ...elements.flatMap((button) => checkButton(button, place)),
      ];
    case 'section':
      return [
        ...between(lengthOf(block['text']), slackLimits.contextText, `${place} section text`),
        ...listObjects([block['accessory']]).flatMap((button) => checkButton(button, place)),
      ];
    case 'rich_text':
      return between(elements.length, Infinity, `${place} rich_text elements`);
    default:
      return [`${place}: a block without a check (${readText(block['type'])})`];
  }
}

function checkButton(button: JsonObject, place: string): readonly string[] {
  const label = readText(button['accessibility_label']);
  return [
    ...between(lengthOf(button['text']), slackLimits.buttonText, `${place} button text`),
    ...atMost(readText(button['url']).length, slackLimits.buttonUrl, `${place} button url`),
    ...atMost(label.length, slackLimits.buttonText, `${place} button label`),
  ];
}

/** A value anywhere in the blocks: a text, a mention, a link. */
function checkValue(
  { pointer, name, value }: { readonly pointer: string; readonly name: string; readonly value: unknown },
  knownUsers: ReadonlySet<string>,
): readonly string[] {
  if (typeof value === 'string') {
    if (name === 'url') return checkLink(value).map((fault) => `${pointer}: ${fault}`);
    return checkCharacters(value, pointer);
  }
  if (!isObject(value)) return [];
  switch (value['type']) {
    case 'text':
    case 'link':
    case 'plain_text':
      return value['text'] === '' ? [`${pointer}: an empty text`] : [];
    case 'mrkdwn':
      return checkMrkdwn(readText(value['text']), pointer, knownUsers);
    case 'user':
      return knownUsers.has(readText(value['user_id'])) ? [] : [`${pointer}: a mention of an unknown user`];
    case 'broadcast':
    case 'usergroup':
    case 'channel':
    case 'team':
      return [`${pointer}: a mention (${value['type']})`];
    default:
      return [];
  }
}

/** Everything between < and > is a command or a link: https://docs.slack.dev/messaging/formatting-message-text */
function checkMrkdwn(text: string, place: string, knownUsers: ReadonlySet<string>): readonly string[] {
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

function atMost(found: number, max: number, what: string): readonly string[] {
  return found > max ? [`${what}: ${found}, at most ${max}`] : [];
}

function between(found: number, max: number, what: string): readonly string[] {
  return found === 0 ? [`${what}: nothing`] : atMost(found, max, what);
}
