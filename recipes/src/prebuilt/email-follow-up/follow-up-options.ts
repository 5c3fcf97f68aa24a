import { z } from 'zod';

import { isRecipientRule, recipientRules } from '../../email/choose-recipients.ts';
import { isMailAddress } from '../../email/mail-address.ts';
import { linkOption } from '../shared-options.ts';

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

/** The options of `email-follow-up`. */
export const followUpOptions = z.strictObject({
  to: z
    .union([recipient.transform((one) => [one]), z.array(recipient).min(1)], { error: expected })
    .optional()
    .describe(
      'Who receives the mail: addresses, or whom the report names by a rule: internal (your own people), external (the others), all, organiser (a guess, because no report says who that was: the first of your own people in the list of participants). Without it MAIL_TO; without that, internal.',
    ),
  except: z
    .union([excepted.transform((one) => [one]), z.array(excepted)], { error: exceptExpected })
    .default([])
    .describe('Addresses and domains that are never mailed; without it none.'),
  external: z
    .enum(['draft', 'send'], { error: 'draft or send' })
    .default('draft')
    .describe(
      'What becomes of mail to people outside that a rule has chosen: draft (kept in the outbox until somebody approves it) or send; without it draft. Addresses that are named here or in MAIL_TO are always sent to.',
    ),
  attach: z
    .union([format.transform((one) => [one]), z.array(format)], { error: attachExpected })
    .default([])
    .describe(
      'Files of the report that are attached: pdf, docx, md; without it none. At most 18 MiB in all; what does not fit is left out, and the mail says so.',
    ),
  calendar: z
    .boolean({ error: 'true or false' })
    .default(true)
    .describe(
      'Whether tasks with a date come as entries for the calendar: those of the recipient, or all where none is theirs; without it true.',
    ),
  link: linkOption,
});
