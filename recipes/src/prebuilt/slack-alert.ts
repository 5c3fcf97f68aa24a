import { z } from 'zod';

import { ownAlertKinds } from '../alert-text.ts';
import { definePrebuiltRecipe } from '../define-prebuilt-recipe.ts';
import { renderSlackAlert } from '../slack/render-slack-alert.ts';
import { planChannel } from './plan-targets.ts';
import { channelOption } from './shared-options.ts';

export const slackAlert = definePrebuiltRecipe({
  id: 'slack-alert',
  description:
    'Tells a Slack channel what went wrong: a meeting, an empty transcript, a delivery, the API key.',
  destination: 'slack',
  events: ['meeting.failed', 'meeting.completed', ...ownAlertKinds],
  transcript: 'empty',
  options: z.strictObject({ channel: channelOption }),
  plan: (_event, options, destinations) => planChannel(options.channel, destinations),
  present: () => ({
    from: 'event',
    render: (alert) => ({ destination: 'slack', message: renderSlackAlert(alert) }),
  }),
});
