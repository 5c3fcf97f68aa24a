import { z } from 'zod';

import { composeMessage, headerBlock, linkButton, plainText } from '../destinations/slack/blocks.ts';
import type { SlackNeed } from '../destinations/slack/check.ts';
import type { SlackMessage, FlowPart } from '../destinations/slack/message.ts';
import { headingPart, textLeaf } from '../destinations/slack/rich-text.ts';
import { type AlertText, ownAlertKinds } from '../engine/alert-text.ts';
import { cutText } from '../report/clean-text.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import { planChannel } from './plan-targets.ts';
import { channelOption, cooldownOption, fillLink, linkOption } from './shared-options.ts';

export const slackAlert = definePrebuiltRecipe({
  id: 'slack-alert',
  description:
    'Tells a Slack channel what went wrong, and what waits for approval: a meeting, an empty transcript, a delivery, a mail to people outside, the API key.',
  destination: 'slack',
  events: ['meeting.failed', 'meeting.completed', ...ownAlertKinds],
  transcript: 'empty',
  reads: 'event',
  options: z.strictObject({
    channel: channelOption,
    cooldown: cooldownOption,
    link: linkOption.describe(
      'Where the button "Open the meeting" leads; {meeting_id} in it becomes the id. Default: no button.',
    ),
  }),
  plan: (_event, options, destinations) => planChannel(options.channel, destinations),
  needs: ({ channel }) => ({ channel }) satisfies SlackNeed,
  present: ({ cooldown, link }) => ({
    from: 'event',
    cooldownMs: cooldown,
    render: (alert, suppressed) => ({
      destination: 'slack',
      message: renderSlackAlert(alert, {
        link: alert.meetingId === undefined ? undefined : fillLink(link, alert.meetingId),
        ...(suppressed === undefined ? {} : { suppressed }),
      }),
    }),
  }),
});

/** One alert as a message: what went wrong, why, and what to do. `suppressed`: alerts not sent since the last one. */
function renderSlackAlert(
  { headline, explanation, reason, advice, ids }: AlertText,
  { link, suppressed = 0 }: { readonly link?: string | undefined; readonly suppressed?: number } = {},
): SlackMessage {
  const more = `And ${String(suppressed)} more of this kind since the last alert.`;
  return composeMessage([
    headerBlock(headline),
    {
      flow: [
        line(explanation, limits.explanation),
        ...detail('Reason', reason),
        ...detail('What to do', advice),
        ...(suppressed > 0 ? [line(more, limits.explanation)] : []),
      ],
    },
    ...linkButton(link, 'Open the meeting', `Open the meeting of: ${headline}`),
    { type: 'context', elements: [plainText(ids)] },
  ]);
}

const limits = { explanation: 1000, detail: 1500 } as const;

function detail(title: string, text: string | undefined): readonly FlowPart[] {
  return text === undefined || text.trim() === '' ? [] : [headingPart(title, 3), line(text, limits.detail)];
}

function line(text: string, max: number): FlowPart {
  return { part: { type: 'rich_text_section', elements: [textLeaf(`${cutText(text.trim(), max)}\n`)] } };
}
