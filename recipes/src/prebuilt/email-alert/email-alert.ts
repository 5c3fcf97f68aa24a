import { z } from 'zod';

import { ownAlertKinds } from '../../alert-text.ts';
import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import { writeFooter } from '../../email/mail-footer.ts';
import { renderMailAlert } from '../../email/render-mail-alert.ts';
import { writeSharedUnsubscribeUrl } from '../../email/unsubscribe.ts';
import { planRecipients } from '../plan-targets.ts';
import { cooldownOption, recipientsOption } from '../shared-options.ts';

export const emailAlert = definePrebuiltRecipe({
  id: 'email-alert',
  description: 'Mails what went wrong: a meeting, an empty transcript, a delivery, the API key.',
  destination: 'email',
  events: ['meeting.failed', 'meeting.completed', ...ownAlertKinds],
  transcript: 'empty',
  reads: 'event',
  options: z.strictObject({ to: recipientsOption, cooldown: cooldownOption }),
  plan: (_event, options, destinations) => planRecipients(options.to, destinations),
  present: ({ cooldown }, { mail }) => ({
    from: 'event',
    cooldownMs: cooldown,
    render: (alert, suppressed) => {
      const unsubscribeUrl = mail === undefined ? undefined : writeSharedUnsubscribeUrl(mail);
      const footer = writeFooter('your address is told of what goes wrong', unsubscribeUrl);
      return { destination: 'email', message: renderMailAlert(alert, { suppressed, footer }) };
    },
  }),
});
