import { z } from 'zod';

import { chooseTaskEvents } from '../destinations/email/calendar.ts';
import { isMailAddress } from '../destinations/email/mail-address.ts';
import { writeFooterOf, writeUnsubscribeUrl } from '../destinations/email/mail-page.ts';
import {
  type Choice,
  chooseRecipients,
  isExternalAddress,
  isRecipientRule,
  listInternalAddresses,
  listRefused,
  type Recipient,
  recipientRules,
} from '../destinations/email/recipients.ts';
import { renderFollowUp } from '../destinations/email/render-follow-up.ts';
import type { MailSettings } from '../destinations/email/settings.ts';
import { type PlannedEffect, type RefusedParticipants, expandTarget } from '../engine/recipe.ts';
import type { Digest } from '../report/digest.ts';
import { en, type Words } from '../words/en.ts';
import { chooseLook } from '../words/index.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import {
  fillLink,
  labelsOption,
  languageOption,
  linkOption,
  sectionsOption,
  timezoneOption,
} from './shared-options.ts';

const expected = `an address such as name@example.com, ${recipientRules.join(', ')}, or a list of them`;

const recipient = z
  .string({ error: expected })
  .refine((text) => isRecipientRule(text) || isMailAddress(text), { error: expected });

const exceptExpected = 'addresses such as name@example.com and domains such as example.com';

const excepted = z
  .string({ error: exceptExpected })
  .regex(/^(?:[^\s@<>,;]*@)?[^\s@<>,;]+\.[^\s@<>,;]+$/, { error: exceptExpected });

const formats = ['pdf', 'docx', 'md'] as const;

const attachExpected = `${formats.join(', ')}, or a list of them`;

const format = z.enum(formats, { error: attachExpected });

const maxRecipientsExpected = 'a whole number from 1 to 1000';

const subjectExpected = 'at most 150 characters in one line, with no braces but {title} and {when}';

/** The options of `email-follow-up`. */
const followUpOptions = z
  .strictObject({
    to: z
      .union([recipient.transform((one) => [one]), z.array(recipient).min(1)], { error: expected })
      .optional()
      .describe(
        'Recipients: addresses, or participants by rule: internal (your own domains), external (the others), all, organiser (the first internal participant, because reports do not name the organiser). Default: MAIL_TO, or internal without it.',
      ),
    except: z
      .union([excepted.transform((one) => [one]), z.array(excepted)], { error: exceptExpected })
      .default([])
      .describe('Addresses and domains that are never mailed. Default: none.'),
    external: z
      .enum(['draft', 'send'], { error: 'draft or send' })
      .default('draft')
      .describe(
        'Mail to external recipients chosen by a rule: draft (held until approved) or send. Addresses that are named here or in MAIL_TO are sent to without approval. Default: draft.',
      ),
    attach: z
      .union([format.transform((one) => [one]), z.array(format)], { error: attachExpected })
      .default([])
      .describe(
        'Attached files of the report: pdf, docx, md. At most 18 MiB in all; a file that does not fit is left out, and the mail says so. Default: none.',
      ),
    calendar: z
      .boolean({ error: 'true or false' })
      .default(true)
      .describe(
        'Whether the dated tasks of the recipient, never those of others, are attached as calendar entries. Default: true.',
      ),
    maxRecipients: z
      .int({ error: maxRecipientsExpected })
      .min(1, { error: maxRecipientsExpected })
      .max(1000, { error: maxRecipientsExpected })
      .default(50)
      .describe(
        'How many recipients one meeting may have. For a meeting with more, no mail is sent and the effect fails: raise the number, then retry the effect. Default: 50.',
      ),
    subject: z
      .string({ error: subjectExpected })
      .regex(/^\S(?:[^\r\n]{0,148}\S)?$/, { error: subjectExpected })
      .refine((text) => !/[{}]/.test(text.replaceAll(/\{(?:title|when)\}/g, '')), { error: subjectExpected })
      .optional()
      .describe(
        'The subject of the mail; {title} and {when} in it become those of the meeting. Default: "Recap: {title}" in the language of the mail.',
      ),
    sections: sectionsOption.describe(
      'Which parts the mail has, in this order: outcome (the first sentences of the summary, right under the title), summary (the rest of it, or all without outcome), decisions, tasks, more (the other sections of the report). With tasks, those of the recipient come first. Default: all of them.',
    ),
    labels: labelsOption,
    link: linkOption,
    language: languageOption,
    timezone: timezoneOption,
  })
  .refine(({ to = [], maxRecipients }) => listNamed(to).length <= maxRecipients, {
    path: ['to'],
    error: 'at most as many addresses as maxRecipients, which is 50 unless it is set',
  });

export const emailFollowUp = definePrebuiltRecipe({
  id: 'email-follow-up',
  description: 'Mails the summary, decisions and tasks of a finished meeting.',
  destination: 'email',
  events: ['meeting.completed'],
  transcript: 'present',
  options: followUpOptions,
  plan: (_event, options, { email: mail }) => (mail === undefined ? [] : planFollowUp(options, mail)),
  present: (options, { email: mail, ...installation }) => ({
    from: 'report',
    whyNoTarget: 'the report has no recipient who can be mailed',
    expand: (digest, { target }) => {
      if (target !== expandTarget || mail === undefined) return [];
      return planMails(digest.attendees, options, mail);
    },
    refuseExpansion: ({ attendees }) =>
      mail === undefined ? undefined : refuseTooMany(attendees, options, mail),
    findRefused: ({ attendees }) => (mail === undefined ? undefined : findRefused(attendees, options, mail)),
    render: (digest, { target }) => {
      if (mail === undefined) return { skip: 'e-mail is not configured any more' };
      const { isNamed, isExternal } = findRecipient(target, options, mail);
      const link = fillLink(options.link, digest.meetingId);
      const look = chooseLook(options, installation);
      const { words } = look;
      const why = isNamed ? words.why.recaps : words.why.tookPart;
      const footer = writeFooterOf(why, writeUnsubscribeUrl(mail, target), words);
      // Who takes part and with which address is no concern of people outside.
      const refused = isExternal ? undefined : findRefused(digest.attendees, options, mail, words);
      const note = refused?.text;
      const events = options.calendar ? chooseTaskEvents(digest, target, link, words) : [];
      return {
        destination: 'email',
        message: {
          ...renderFollowUp(digest, {
            ...look,
            link,
            footer,
            note,
            subject: options.subject,
            parts: options.sections,
            reader: target,
          }),
          ...(options.attach.length === 0 ? {} : { attach: options.attach, language: words.locale }),
          ...(events.length === 0 ? {} : { calendar: events }),
          ...(isExternal && !isNamed && options.external === 'draft' ? { needsApproval: true } : {}),
        },
      };
    },
  }),
});

type Options = Pick<z.output<typeof followUpOptions>, 'to' | 'except' | 'maxRecipients'>;

/**
 * Named addresses are known without the report. For rules, one effect reads the report and plans the others; where too
 * many are named, it refuses them.
 */
function planFollowUp(options: Options, mail: MailSettings): readonly PlannedEffect[] {
  const isRuled = listRequested(options, mail).some(isRecipientRule);
  const named = planMails([], options, mail);
  return isRuled || named.length > options.maxRecipients ? [{ target: expandTarget, part: 0 }] : named;
}

function listNamed(to: readonly string[]): readonly string[] {
  return [...new Set(to.filter((one) => !isRecipientRule(one)).map((address) => address.toLowerCase()))];
}

/** A part of them would be a random choice, so it is all or none. */
function refuseTooMany(
  attendees: Digest['attendees'],
  options: Options,
  mail: MailSettings,
): string | undefined {
  const count = planMails(attendees, options, mail).length;
  if (count <= options.maxRecipients) return undefined;
  return `${count} recipients, more than maxRecipients ${options.maxRecipients}: no mail is sent`;
}

function planMails(
  attendees: Digest['attendees'],
  options: Options,
  mail: MailSettings,
): readonly PlannedEffect[] {
  const recipients = chooseRecipients(attendees, toChoice(options, mail));
  return recipients.map(({ address }) => ({ target: address, part: 0 }));
}

const MAX_REFUSED_NAMED = 10;

/** `2 addresses of the report cannot be mailed: Ann (a dot at the start), Bob (too long)` */
function findRefused(
  attendees: Digest['attendees'],
  options: Options,
  mail: MailSettings,
  words: Words = en,
): RefusedParticipants | undefined {
  const participants = listRefused(attendees, toChoice(options, mail));
  if (participants.length === 0) return undefined;
  const named = participants
    .slice(0, MAX_REFUSED_NAMED)
    .map(({ name = words.unnamedParticipant, cause }) => `${name} (${words.addressFaults[cause]})`);
  const more = participants.length - named.length;
  const names = `${named.join(words.separator)}${more > 0 ? words.andMore(more) : ''}`;
  return { participants, text: words.explained(words.cannotBeMailed(participants.length), names) };
}

/** Derives from the address alone how the recipient was chosen, because the report may have changed. */
function findRecipient(address: string, options: Options, mail: MailSettings): Recipient {
  const named = listRequested(options, mail).some((one) => one.toLowerCase() === address.toLowerCase());
  return { address, isNamed: named, isExternal: isExternalAddress(address, listInternalAddresses(mail)) };
}

function toChoice(options: Options, mail: MailSettings): Choice {
  return { to: listRequested(options, mail), except: options.except, own: listInternalAddresses(mail) };
}

/** Recipients of the recipe, or MAIL_TO, or internal participants. */
function listRequested({ to }: Pick<Options, 'to'>, mail: Pick<MailSettings, 'to'>): readonly string[] {
  if (to !== undefined) return to;
  return mail.to.length > 0 ? mail.to : ['internal'];
}
