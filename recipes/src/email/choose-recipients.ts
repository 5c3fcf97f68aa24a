import type { MailSettings } from '../destinations.ts';
import type { Attendee } from '../digest.ts';
import { isMailAddress, readMailAddress, readMailbox, readMailDomain } from './mail-address.ts';
import { isPublicMailDomain } from './public-mail-domains.ts';

/** Whom a recipe means without naming anybody. */
export const recipientRules = ['organiser', 'internal', 'external', 'all'] as const;
type RecipientRule = (typeof recipientRules)[number];

export interface Recipient {
  readonly address: string;
  /** The settings name them; else a rule chose them from the report. */
  readonly isNamed: boolean;
  /** Not of one's own people. */
  readonly isExternal: boolean;
}

/** Domains and single addresses of one's own people, in lower case. */
export type OwnPeople = readonly string[];

export interface Choice {
  readonly to: readonly string[];
  /** Addresses and domains that are never mailed. */
  readonly except: readonly string[];
  readonly own: OwnPeople;
}

export function isRecipientRule(text: string): text is RecipientRule {
  return recipientRules.some((rule) => rule === text);
}

/**
 * The domains that the settings name, else that of the sender; of a sender at a public provider the own address alone,
 * because everybody else there is a stranger.
 */
export function readOwnPeople(mail: Pick<MailSettings, 'internalDomains' | 'from'>): OwnPeople {
  const { internalDomains = [], from } = mail;
  if (internalDomains.length > 0)
    return internalDomains.map((domain) => readMailDomain(domain).toLowerCase());
  const address = (readMailbox(from)?.address ?? '').toLowerCase();
  return [isOwnUnknown(mail) ? address : readDomain(address)];
}

/** Whether nothing says who one's own people are: the sender is at a public provider, and no domain is named. */
export function isOwnUnknown({
  internalDomains = [],
  from,
}: Pick<MailSettings, 'internalDomains' | 'from'>): boolean {
  return internalDomains.length === 0 && isPublicMailDomain(readDomain(readMailbox(from)?.address ?? ''));
}

/**
 * Who receives a mail about a meeting, each once whatever the case of their letters, those first whom the settings
 * name. An address of the report that is not exactly one address is nobody's. Own domains are taken as they are: a
 * domain below one of them is not one's own. No report says who organised a meeting, so `organiser` is the first of
 * one's own people in its list. Pure.
 */
export function chooseRecipients(
  attendees: readonly Attendee[],
  { to, except, own }: Choice,
): readonly Recipient[] {
  const guests = attendees
    .flatMap(({ email = '' }) => readMailAddress(email)?.toLowerCase() ?? [])
    .map((address) => ({ address, isNamed: false, isExternal: isExternal(address, own) }));
  const named = to
    .filter((one) => !isRecipientRule(one) && isMailAddress(one))
    .map((address) => ({ address, isNamed: true, isExternal: isExternal(address, own) }));
  const rules = to.filter(isRecipientRule);
  const chosen = new Map<string, Recipient>();
  for (const recipient of [...named, ...rules.flatMap((rule) => followRule(rule, guests))]) {
    const key = recipient.address.toLowerCase();
    if (!chosen.has(key) && !isExcepted(key, except)) chosen.set(key, recipient);
  }
  return [...chosen.values()];
}

function followRule(rule: RecipientRule, guests: readonly Recipient[]): readonly Recipient[] {
  const own = guests.filter((guest) => !guest.isExternal);
  switch (rule) {
    case 'organiser':
      return own.slice(0, 1);
    case 'internal':
      return own;
    case 'external':
      return guests.filter((guest) => guest.isExternal);
    case 'all':
    default:
      return guests;
  }
}

export function isExternal(address: string, own: OwnPeople): boolean {
  return !own.includes(readDomain(address)) && !own.includes(address.toLowerCase());
}

function isExcepted(address: string, except: readonly string[]): boolean {
  return except.some((entry) => {
    const named = entry.toLowerCase().replace(/^@/, '');
    const one = readMailAddress(named) ?? readMailDomain(named);
    return one === address || one === readDomain(address);
  });
}

function readDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
