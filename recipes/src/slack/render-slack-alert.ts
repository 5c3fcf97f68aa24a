import type { AlertText } from '../alert-text.ts';
import { escapeWithin } from './escape-mrkdwn.ts';
import { plainText } from './plain-text.ts';
import { renderHeader } from './render-header.ts';
import { boldLine, TextBudget, toRichText } from './rich-text.ts';
import { slackLimits, type SlackMessage } from './slack-message.ts';

/** An alert as one Slack message. Pure. */
export function renderSlackAlert(alert: AlertText): SlackMessage {
  const lines = [
    alert.headline,
    alert.explanation,
    ...(alert.reason === undefined ? [] : [alert.reason]),
    alert.ids,
  ];
  const reason =
    alert.reason === undefined
      ? []
      : [boldLine('Reason'), ...toRichText(alert.reason, new TextBudget(slackLimits.header * 10))];
  return {
    text: escapeWithin(lines.join('\n'), slackLimits.fallback),
    blocks: [
      renderHeader(alert.headline),
      {
        type: 'rich_text',
        elements: [...toRichText(alert.explanation, new TextBudget(1000)), ...reason],
      },
      { type: 'context', elements: [plainText(alert.ids)] },
    ],
  };
}
