import { domainToASCII } from 'node:url';

/** An address, alone or with the name of its owner. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/**
 * RFC 5322 3.2.3, without what makes some servers read more than a name: `%` and `!` ask to pass the mail on to another
 * domain, `|` runs a program, `?` is part of an encoded word (RFC 2047). An address in quotes is refused: it may hold
 * what separates addresses.
 */
const word = "[A-Za-z\\d#$&'*+/=^_{}~-]+";
/** RFC 1035 2.3.1; what stands last is no number, and in other letters than ours it begins with `xn--` (RFC 5890). */
const label = '[A-Za-z\\d](?:[A-Za-z\\d-]{0,61}[A-Za-z\\d])?';
const lastLabel = '(?:[A-Za-z]{2,63}|xn--[A-Za-z\\d-]{0,58}[A-Za-z\\d])';
const addressPattern = new RegExp(
  String.raw`^(?=[^@]{1,64}@)${word}(?:\.${word})*@(?:${label}\.)+${lastLabel}$`,
);

/**
 * One address and nothing else: `a@x.io, b@x.io` or a line break inside is refused, never split. It is one that any
 * mail server takes (RFC 5321 without SMTPUTF8).
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && addressPattern.test(text);
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
