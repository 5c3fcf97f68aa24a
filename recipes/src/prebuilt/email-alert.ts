import { z } from 'zod';

import { writeFooter, writeSharedUnsubscribeUrl } from '../destinations/email/mail-page.ts';
import { renderMailAlert } from '../destinations/email/render-mail-alert.ts';
import { ownAlertKinds } from '../engine/alert-text.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import { planRecipients } from './plan-targets.ts';
import { cooldownOption, recipientsOption } from './shared-options.ts';

export const emailAlert = definePrebuiltRecipe({
  id: 'email-alert',
  description:
    'Mails alerts: failed meetings, empty transcripts, failed deliveries, mail that waits for approval, a refused API key.',
  destination: 'email',
  events: ['meeting.failed', 'meeting.completed', ...ownAlertKinds],
  transcript: 'empty',
  reads: 'event',
  options: z.strictObject({ to: recipientsOption, cooldown: cooldownOption }),
  plan: (_event, options, destinations) => planRecipients(options.to, destinations),
  present: ({ cooldown }, { email: mail }) => ({
    from: 'event',
    cooldownMs: cooldown,
    render: (alert, suppressed) => {
      const unsubscribeUrl = mail === undefined ? undefined : writeSharedUnsubscribeUrl(mail);
      const footer = writeFooter('your address is on the list for alerts', unsubscribeUrl);
      return { destination: 'email', message: renderMailAlert(alert, { suppressed, footer }) };
    },
  }),
});
