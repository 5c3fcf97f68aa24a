import { domainToASCII } from 'node:url';

import { z } from 'zod';

/** An address, alone or with the name of its owner. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const addressSchema = z.email();

/** One address and nothing else: `a@x.io, b@x.io` or a line break inside is refused, never split. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && addressSchema.safeParse(text).success;
}

/**
 * The address as a mail server takes it: a domain in other letters becomes its ASCII form (RFC 5890), so one that only
 * looks like another stays another. Undefined where it is not exactly one address.
 */
export function readMailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const address = at < 0 ? text : text.slice(0, at + 1) + readMailDomain(text.slice(at + 1));
  return isMailAddress(address) ? address : undefined;
}

/** A domain in its ASCII form; what is none stays as it is. */
export function readMailDomain(text: string): string {
  // The function reads the host of a URL: what ends one there must never reach it.
  if (/^\p{ASCII}*$/u.test(text) || !/^[\p{L}\p{M}\p{Nd}.-]{1,253}$/u.test(text)) return text;
  return domainToASCII(text) || text;
}

/** Whether it is a sender: one address, alone or as `Name <name@example.com>`. */
export function isMailSender(text: string): boolean {
  return readMailbox(text) !== undefined;
}

/** Reads `name@example.com` or `Name <name@example.com>`; undefined for anything else. */
export function readMailbox(text: string): Mailbox | undefined {
  const named = /^([^<>\r\n]{0,200})<([^<>\s]{1,254})>$/.exec(text.trim());
  const address = named?.[2] ?? text.trim();
  if (!isMailAddress(address)) return undefined;
  return { name: (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), address };
}
