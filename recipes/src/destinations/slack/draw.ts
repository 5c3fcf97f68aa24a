import { html, type LooseObject, type Markup, renderSlackBlock, toObjects, toText } from '@aftermeet/pages';

import { unescapeMrkdwn } from './blocks.ts';
import type { SlackMention, SlackMessage } from './message.ts';

const WITHOUT_SHARED = 'Without the parts of people who can be written to directly';

/** A message as a reader of the channel sees it. */
export function drawSlackMessage(message: SlackMessage): Markup {
  const { person, file, shared, ownBlocks } = message;
  const text = readText(message);
  const blocks = markMentions(message);
  const to = nameReader(message);
  return html`${person !== undefined && html`<p class="small soft">To ${to}</p>`}
  ${shared !== undefined && html`<p class="small soft">${WITHOUT_SHARED}</p>`}
  ${file !== undefined && html`<p><span class="pill">${file.name}.${file.format}</span></p>`}
  ${ownBlocks !== undefined && html`<pre>${JSON.stringify(ownBlocks, undefined, 2)}</pre>`}
  ${
    blocks.length === 0 || ownBlocks !== undefined
      ? html`<p class="box">${text}</p>`
      : html`${blocks.map(renderSlackBlock)}
          <details class="small soft">
            <summary>What a screen reader says</summary>
            <p class="box">${text}</p>
          </details>`
  }`;
}

/** The same as plain text: what a screen reader says. */
export function writeSlackMessage(message: SlackMessage): string {
  const { person, file, shared, ownBlocks } = message;
  return [
    ...(person === undefined ? [] : [`To ${nameReader(message)}\n`]),
    ...(shared === undefined ? [] : [`${WITHOUT_SHARED}\n`]),
    ...(file === undefined ? [] : [`File: ${file.name}.${file.format}`]),
    readText(message),
    ...(ownBlocks === undefined ? [] : [JSON.stringify(ownBlocks, undefined, 2)]),
  ].join('\n');
}

/** Of a recipe that writes its own blocks the text is its own too. */
function readText({ text, ownBlocks }: SlackMessage): string {
  return ownBlocks === undefined ? unescapeMrkdwn(text) : text;
}

function nameReader({ person }: SlackMessage): string {
  return person?.userId ?? person?.email ?? 'an unknown person';
}

/**
 * Puts an @ in front of each name that becomes a mention if its address belongs to a member of the workspace. Only Slack knows
 * whether it does.
 */
function markMentions({ blocks, mentions = [] }: SlackMessage): readonly LooseObject[] {
  return toObjects(blocks).map((block, at) => {
    const here = mentions.filter((mention) => mention.block === at);
    return here.length === 0 ? block : { ...block, elements: toObjects(block['elements']).map(mark(here)) };
  });
}

function mark(mentions: readonly SlackMention[]) {
  return (section: LooseObject, at: number): LooseObject => {
    if (!mentions.some(({ element }) => element === at)) return section;
    const [first = {}, ...others] = toObjects(section['elements']);
    return { ...section, elements: [{ ...first, text: `@${toText(first['text'])}` }, ...others] };
  };
}
