import type { PlainText } from './slack-message.ts';

/** Text that Slack shows as it is. */
export function plainText(text: string): PlainText {
  return { type: 'plain_text', text, emoji: false };
}
