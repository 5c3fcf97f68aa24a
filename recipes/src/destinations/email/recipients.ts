import { type Attendee, findOrganiser } from '../../report/people.ts';
import {
  type AddressFault,
  findAddressFault,
  isMailAddress,
  isMailDomain,
  normalizeDomain,
  readMailAddress,
  readMailbox,
  readMailDomain,
} from './mail-address.ts';
import { isPublicMailDomain } from './public-mail-domains.ts';
import type { MailSettings } from './settings.ts';

/** Rules that choose recipients among the participants. */
export const recipientRules = ['organiser', 'internal', 'external', 'all'] as const;

type RecipientRule = (typeof recipientRules)[number];

export interface Recipient {
  readonly address: string;
  /** The settings name the address; otherwise a rule chose it from the report. */
  readonly isNamed: boolean;
  /** The address belongs to none of the internal domains. */
  readonly isExternal: boolean;
}

/** Internal domains and single addresses, in lower case. */
type InternalAddresses = readonly string[];

export interface Choice {
  readonly to: readonly string[];
  /** Addresses and domains that are never mailed. */
  readonly except: readonly string[];
  readonly own: InternalAddresses;
}

export function isRecipientRule(text: string): text is RecipientRule {
  return recipientRules.some((rule) => rule === text);
}

/**
 * Returns the internal domains of the settings, or the domain of the sender. The domain of a public provider is never
 * internal, because its other users are strangers: for a sender there only its own address is.
 */
export function listInternalAddresses(
  mail: Pick<MailSettings, 'internalDomains' | 'from'>,
): InternalAddresses {
  const own = listOwnDomains(mail);
  if (own.length > 0) return own;
  const address = (readMailbox(mail.from)?.address ?? '').toLowerCase();
  return [isInternalUnknown(mail) ? address : readDomain(address)];
}

/** Whether the internal domains are unknown: the sender is at a public provider and no domain is configured. */
export function isInternalUnknown(mail: Pick<MailSettings, 'internalDomains' | 'from'>): boolean {
  const sender = readDomain(readMailbox(mail.from)?.address ?? '');
  return listOwnDomains(mail).length === 0 && isPublicMailDomain(sender);
}

function listOwnDomains({ internalDomains = [] }: Pick<MailSettings, 'internalDomains'>): readonly string[] {
  return internalDomains
    .map((domain) => readMailDomain(domain).toLowerCase())
    .filter((domain) => !isPublicMailDomain(domain));
}

/**
 * Chooses the recipients of a mail about a meeting: named addresses first, each address once ignoring case. Addresses of
 * the report that cannot be mailed are left to `listRefused`. Subdomains of an internal domain are external. Pure.
 */
export function chooseRecipients(
  attendees: readonly Attendee[],
  { to, except, own }: Choice,
): readonly Recipient[] {
  const guests = attendees
    .flatMap(({ email = '' }) => readMailAddress(email)?.toLowerCase() ?? [])
    .map((address) => ({ address, isNamed: false, isExternal: isExternalAddress(address, own) }));
  const named = to
    .filter((one) => !isRecipientRule(one) && isMailAddress(one))
    .map((address) => ({ address, isNamed: true, isExternal: isExternalAddress(address, own) }));
  const rules = to.filter(isRecipientRule);
  const chosen = new Map<string, Recipient>();
  for (const recipient of [...named, ...rules.flatMap((rule) => followRule(rule, guests))]) {
    const key = recipient.address.toLowerCase();
    if (!chosen.has(key) && !isExcepted(key, except)) chosen.set(key, recipient);
  }
  return [...chosen.values()];
}

/** A participant who would be a recipient, and whose address cannot be mailed. */
interface RefusedParticipant {
  readonly name?: string;
  readonly cause: AddressFault;
}

/**
 * Lists the participants whom the rules would choose if their addresses could be mailed, each address once ignoring case.
 * One with an unreadable domain may be internal or external, so it is listed for every rule. Names, never addresses. Pure.
 */
export function listRefused(
  attendees: readonly Attendee[],
  { to, except, own }: Choice,
): readonly RefusedParticipant[] {
  const guests = attendees.flatMap(({ name, email = '' }) => {
    if (email === '') return [];
    const address = normalizeDomain(email).toLowerCase();
    const isExternal = isMailDomain(readDomain(address)) ? isExternalAddress(address, own) : undefined;
    return [{ name, address, isExternal, cause: findAddressFault(email) }];
  });
  const chosen = to.filter(isRecipientRule).flatMap((rule) => followRule(rule, guests));
  const refused = new Map<string, RefusedParticipant>();
  for (const { name, address, cause } of chosen) {
    if (cause === undefined || refused.has(address) || isExcepted(address, except)) continue;
    refused.set(address, name === undefined ? { cause } : { name, cause });
  }
  return [...refused.values()];
}

/** `isExternal` undefined: not known, so that every rule may choose it. */
function followRule<Guest extends { readonly isExternal: boolean | undefined }>(
  rule: RecipientRule,
  guests: readonly Guest[],
): readonly Guest[] {
  const isExternal = (guest: Guest) => guest.isExternal === true;
  switch (rule) {
    case 'organiser':
      return guests.filter((guest) => guest === findOrganiser(guests, isExternal));
    case 'internal':
      return guests.filter((guest) => !isExternal(guest));
    case 'external':
      return guests.filter((guest) => guest.isExternal !== false);
    case 'all':
    default:
      return guests;
  }
}

export function isExternalAddress(address: string, own: InternalAddresses): boolean {
  return !own.includes(readDomain(address)) && !own.includes(address.toLowerCase());
}

function isExcepted(address: string, except: readonly string[]): boolean {
  return except.some((entry) => {
    const one = normalizeDomain(entry.toLowerCase().replace(/^@/, ''));
    return one === address || one === readDomain(address);
  });
}

function readDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
