import { z } from 'zod';

import { ownAlertKinds } from '../alert-text.ts';
import { definePrebuiltRecipe } from '../define-prebuilt-recipe.ts';
import { renderMailAlert } from '../email/render-mail-alert.ts';
import { planRecipients } from './plan-targets.ts';
import { recipientsOption } from './shared-options.ts';

export const emailAlert = definePrebuiltRecipe({
  id: 'email-alert',
  description: 'Mails what went wrong: a meeting, an empty transcript, a delivery, the API key.',
  destination: 'email',
  events: ['meeting.failed', 'meeting.completed', ...ownAlertKinds],
  transcript: 'empty',
  options: z.strictObject({ to: recipientsOption }),
  plan: (_event, options, destinations) => planRecipients(options.to, destinations),
  present: () => ({
    from: 'event',
    render: (alert) => ({ destination: 'email', message: renderMailAlert(alert) }),
  }),
});
