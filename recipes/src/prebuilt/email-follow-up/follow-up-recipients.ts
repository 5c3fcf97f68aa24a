import type { z } from 'zod';

import type { MailSettings } from '../../destinations.ts';
import type { Digest } from '../../digest.ts';
import {
  chooseRecipients,
  isExternal,
  isRecipientRule,
  readOwnPeople,
  type Recipient,
} from '../../email/choose-recipients.ts';
import { type PlannedEffect, spreadTarget } from '../../recipe.ts';
import type { followUpOptions } from './follow-up-options.ts';

type Options = Pick<z.output<typeof followUpOptions>, 'to' | 'except'>;

/** Where only addresses are named they are known without the report; else one effect reads it and plans the others. */
export function planFollowUp(options: Options, mail: MailSettings): readonly PlannedEffect[] {
  if (listWishes(options, mail).some(isRecipientRule)) return [{ target: spreadTarget, part: 0 }];
  return choose([], options, mail).map(({ address }) => ({ target: address, part: 0 }));
}

/** Everybody who receives a mail about this meeting. */
export function listRecipients(
  { attendees }: Pick<Digest, 'attendees'>,
  options: Options,
  mail: MailSettings,
): readonly Recipient[] {
  return choose(attendees, options, mail);
}

/** How a recipient came to be one, told from the address alone: the report may have changed since. */
export function findRecipient(address: string, options: Options, mail: MailSettings): Recipient {
  const named = listWishes(options, mail).some((one) => one.toLowerCase() === address.toLowerCase());
  return { address, isNamed: named, isExternal: isExternal(address, readOwnPeople(mail)) };
}

function choose(attendees: Digest['attendees'], options: Options, mail: MailSettings): readonly Recipient[] {
  const to = listWishes(options, mail);
  return chooseRecipients(attendees, { to, except: options.except, own: readOwnPeople(mail) });
}

/** Without a wish: who always receives mail, else one's own people. */
function listWishes({ to }: Pick<Options, 'to'>, mail: Pick<MailSettings, 'to'>): readonly string[] {
  if (to !== undefined) return to;
  return mail.to.length > 0 ? mail.to : ['internal'];
}
