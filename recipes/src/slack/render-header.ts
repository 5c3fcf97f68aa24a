import { cutText } from '../text/cut-text.ts';
import { plainText } from './plain-text.ts';
import { type SlackBlock, slackLimits } from './slack-message.ts';

/** A header holds plain text of at most 150 characters. */
export function renderHeader(title: string): SlackBlock {
  return { type: 'header', text: plainText(cutText(title, slackLimits.header)) };
}
