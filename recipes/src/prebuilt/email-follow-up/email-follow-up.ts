import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import { chooseTaskEvents } from '../../email/choose-task-events.ts';
import { writeFooter } from '../../email/mail-footer.ts';
import { renderMailRecap } from '../../email/render-mail-recap.ts';
import { writeUnsubscribeUrl } from '../../email/unsubscribe.ts';
import { spreadTarget } from '../../recipe.ts';
import { fillLink } from '../shared-options.ts';
import { followUpOptions } from './follow-up-options.ts';
import { findRecipient, listRecipients, planFollowUp } from './follow-up-recipients.ts';

export const emailFollowUp = definePrebuiltRecipe({
  id: 'email-follow-up',
  description: 'Mails the summary, decisions and tasks of a finished meeting.',
  destination: 'email',
  events: ['meeting.completed'],
  transcript: 'present',
  options: followUpOptions,
  plan: (_event, options, { mail }) => (mail === undefined ? [] : planFollowUp(options, mail)),
  present: (options, { mail }) => ({
    from: 'report',
    whyNobody: 'the report has no address of anybody whom the mail is for',
    spread: (digest, { target }) => {
      if (target !== spreadTarget || mail === undefined) return [];
      return listRecipients(digest, options, mail).map(({ address }) => ({ target: address, part: 0 }));
    },
    render: (digest, { target }) => {
      if (mail === undefined) return { skip: 'e-mail is not configured any more' };
      const { isNamed, isExternal } = findRecipient(target, options, mail);
      const link = fillLink(options.link, digest.meetingId);
      const reason = isNamed ? 'your address is on the list for recaps' : 'you took part in this meeting';
      const footer = writeFooter(reason, writeUnsubscribeUrl(mail, target));
      const events = options.calendar ? chooseTaskEvents(digest, target, link) : [];
      return {
        destination: 'email',
        message: {
          ...renderMailRecap(digest, { link, footer }),
          ...(options.attach.length === 0 ? {} : { attach: options.attach }),
          ...(events.length === 0 ? {} : { calendar: events }),
          ...(isExternal && !isNamed && options.external === 'draft' ? { isDraft: true } : {}),
        },
      };
    },
  }),
});
