import { z } from 'zod';

import { ownAlertKinds } from '../../alert-text.ts';
import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import { renderSlackAlert } from '../../slack/render-slack-alert.ts';
import { planChannel } from '../plan-targets.ts';
import { channelOption, cooldownOption, fillLink, linkOption } from '../shared-options.ts';

export const slackAlert = definePrebuiltRecipe({
  id: 'slack-alert',
  description:
    'Tells a Slack channel what went wrong: a meeting, an empty transcript, a delivery, the API key.',
  destination: 'slack',
  events: ['meeting.failed', 'meeting.completed', ...ownAlertKinds],
  transcript: 'empty',
  reads: 'event',
  options: z.strictObject({
    channel: channelOption,
    cooldown: cooldownOption,
    link: linkOption.describe(
      'The address that "Open the meeting" leads to; {meeting_id} in it becomes the id. Without it, no button.',
    ),
  }),
  plan: (_event, options, destinations) => planChannel(options.channel, destinations),
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
