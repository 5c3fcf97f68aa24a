import { z } from 'zod';

import { definePrebuiltRecipe } from '../define-prebuilt-recipe.ts';
import { renderMailRecap } from '../email/render-mail-recap.ts';
import { planRecipients } from './plan-targets.ts';
import { fillLink, linkOption, recipientsOption } from './shared-options.ts';

export const emailFollowUp = definePrebuiltRecipe({
  id: 'email-follow-up',
  description: 'Mails the summary, decisions and tasks of a finished meeting.',
  destination: 'email',
  events: ['meeting.completed'],
  transcript: 'present',
  options: z.strictObject({ to: recipientsOption, link: linkOption }),
  plan: (_event, options, destinations) => planRecipients(options.to, destinations),
  present: ({ link }) => ({
    from: 'report',
    render: (digest) => ({
      destination: 'email',
      message: renderMailRecap(digest, fillLink(link, digest.meetingId)),
    }),
  }),
});
