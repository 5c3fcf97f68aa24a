import { cutText } from '../text/cut-text.ts';
import { escapeWithin } from './escape-mrkdwn.ts';
import { plainText } from './plain-text.ts';
import { readBlocks } from './read-blocks.ts';
import type { FlowPart } from './rich-text.ts';
import { type SlackBlock, slackLimits, type SlackMention, type SlackMessage } from './slack-message.ts';

/** What one rich_text block is made of, and whether the people named in it are mentioned. */
export type Draft = SlackBlock | { readonly flow: readonly FlowPart[]; readonly isMentioning?: boolean };

/** A message of its blocks, in words too. A flow of nothing leaves no block. */
export function writeMessage(drafts: readonly Draft[]): SlackMessage {
  const blocks: SlackBlock[] = [];
  const mentions: SlackMention[] = [];
  for (const draft of drafts) {
    if ('type' in draft) {
      blocks.push(draft);
      continue;
    }
    if (draft.flow.length === 0) continue;
    draft.flow.forEach(({ email }, element) => {
      if (draft.isMentioning !== true || email === undefined) return;
      mentions.push({ block: blocks.length, element, email });
    });
    blocks.push({ type: 'rich_text', elements: draft.flow.map(({ part }) => part) });
  }
  const text = escapeWithin(readBlocks(blocks), slackLimits.fallback);
  return { text, blocks, ...(mentions.length === 0 ? {} : { mentions }) };
}

/** A button that opens an address; nothing where there is none. `about` is what a screen reader says. */
export function linkButton(link: string | undefined, label: string, about: string): readonly SlackBlock[] {
  if (link === undefined || link.length > slackLimits.url) return [];
  const button = {
    type: 'button',
    text: plainText(cutText(label, slackLimits.button)),
    url: link,
    action_id: 'open_report',
    accessibility_label: cutText(about, slackLimits.button),
  } as const;
  return [{ type: 'actions', elements: [button] }];
}
