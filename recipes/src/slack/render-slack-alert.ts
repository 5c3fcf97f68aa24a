import type { AlertText } from '../alert-text.ts';
import { escapeWithin } from './escape-mrkdwn.ts';
import { plainText } from './plain-text.ts';
import { renderHeader } from './render-header.ts';
import { boldLine, TextBudget, toRichText } from './rich-text.ts';
import { slackLimits, type SlackMessage } from './slack-message.ts';

/** An alert as one Slack message. Pure. */
export function renderSlackAlert({ headline, explanation, reason, advice, ids }: AlertText): SlackMessage {
  const parts = [
    ...(reason === undefined ? [] : [{ name: 'Reason', text: reason }]),
    ...(advice === undefined ? [] : [{ name: 'What to do', text: advice }]),
  ];
  const room = slackLimits.header * 10;
  const details = parts.flatMap(({ name, text }) => [
    boldLine(name),
    ...toRichText(text, new TextBudget(room)),
  ]);
  return {
    text: escapeWithin(
      [headline, explanation, ...parts.map(({ text }) => text), ids].join('\n'),
      slackLimits.fallback,
    ),
    blocks: [
      renderHeader(headline),
      { type: 'rich_text', elements: [...toRichText(explanation, new TextBudget(1000)), ...details] },
      { type: 'context', elements: [plainText(ids)] },
    ],
  };
}
