import { z } from 'zod';

import { definePrebuiltRecipe } from '../define-prebuilt-recipe.ts';
import { renderSlackRecap } from '../slack/render-slack-recap.ts';
import { planChannel } from './plan-targets.ts';
import { channelOption, fillLink, linkOption } from './shared-options.ts';

export const slackRecap = definePrebuiltRecipe({
  id: 'slack-recap',
  description: 'Posts the summary, decisions and tasks of a finished meeting to a Slack channel.',
  destination: 'slack',
  events: ['meeting.completed'],
  transcript: 'present',
  options: z.strictObject({ channel: channelOption, link: linkOption }),
  plan: (_event, options, destinations) => planChannel(options.channel, destinations),
  present: ({ link }) => ({
    from: 'report',
    render: (digest) => ({
      destination: 'slack',
      message: renderSlackRecap(digest, fillLink(link, digest.meetingId)),
    }),
  }),
});
