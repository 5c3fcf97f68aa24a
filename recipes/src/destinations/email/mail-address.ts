import { domainToASCII } from 'node:url';

/** An address with the name of its owner, which can be empty. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/**
 * RFC 5322 3.2.3 without characters that some servers interpret: `%` and `!` route the mail to another domain, `|` runs a
 * program, `?` belongs to encoded words (RFC 2047). Quoted local parts are refused, because they may hold separators.
 */
const word = "[A-Za-z\\d#$&'*+/=^_{}~-]+";
/** RFC 1035 2.3.1. The last label is not a number, and begins with `xn--` when it is not ASCII (RFC 5890). */
const label = '[A-Za-z\\d](?:[A-Za-z\\d-]{0,61}[A-Za-z\\d])?';
const lastLabel = '(?:[A-Za-z]{2,63}|xn--[A-Za-z\\d-]{0,58}[A-Za-z\\d])';
const domain = String.raw`(?:${label}\.)+${lastLabel}`;
const addressPattern = new RegExp(String.raw`^(?=[^@]{1,64}@)${word}(?:\.${word})*@${domain}$`);
const domainPattern = new RegExp(`^${domain}$`);

/**
 * Whether a text is exactly one address that any mail server takes (RFC 5321 without SMTPUTF8). `a@x.io, b@x.io` and line
 * breaks are refused, never split.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && addressPattern.test(text);
}

/**
 * Normalizes an address: an international domain becomes its ASCII form (RFC 5890), so look-alike domains stay different.
 * Undefined when the text is not exactly one address.
 */
export function readMailAddress(text: string): string | undefined {
  const address = normalizeDomain(text);
  return isMailAddress(address) ? address : undefined;
}

/** An address, valid or not, or a domain alone: with the domain in its ASCII form. */
export function normalizeDomain(text: string): string {
  const at = text.lastIndexOf('@');
  return text.slice(0, at + 1) + readMailDomain(text.slice(at + 1));
}

/** Why an address is refused. */
export type AddressFault =
  | 'quoted'
  | 'leading_dot'
  | 'trailing_dot'
  | 'double_dot'
  /** A letter outside ASCII before the @: only a server with SMTPUTF8 takes it (RFC 6531). */
  | 'non_ascii'
  | 'domain'
  | 'too_long'
  /** Anything else: not one address, or a character that some servers interpret. */
  | 'no_address';

/** Finds why `readMailAddress` refuses a text; undefined when it does not. */
export function findAddressFault(text: string): AddressFault | undefined {
  if (readMailAddress(text) !== undefined) return undefined;
  const address = normalizeDomain(text);
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  if (/^"[^"\\\s]+"$/.test(local)) return 'quoted';
  if (!/^[^\s@",:;<>()[\]\\]+$/.test(local)) return 'no_address';
  if (local.startsWith('.')) return 'leading_dot';
  if (local.endsWith('.')) return 'trailing_dot';
  if (local.includes('..')) return 'double_dot';
  if (!/^\p{ASCII}*$/u.test(local)) return 'non_ascii';
  if (!isMailDomain(address.slice(at + 1))) return 'domain';
  return local.length > 64 || address.length > 254 ? 'too_long' : 'no_address';
}

/** Whether a text is a domain in ASCII form that can have addresses. */
export function isMailDomain(text: string): boolean {
  return domainPattern.test(text);
}

/** The ASCII form of a domain; other text is returned as it is. */
export function readMailDomain(text: string): string {
  // `domainToASCII` parses the host of a URL, so characters that end a host must not reach it.
  if (/^\p{ASCII}*$/u.test(text) || !/^[\p{L}\p{M}\p{Nd}.-]{1,253}$/u.test(text)) return text;
  return domainToASCII(text) || text;
}

/** Whether a text is a sender: one address, alone or as `Name <name@example.com>`. */
export function isMailSender(text: string): boolean {
  return readMailbox(text) !== undefined;
}

/** Parses `name@example.com` or `Name <name@example.com>`; undefined for any other text. */
export function readMailbox(text: string): Mailbox | undefined {
  const named = /^([^<>\r\n]{0,200})<([^<>\s]{1,254})>$/.exec(text.trim());
  const address = named?.[2] ?? text.trim();
  if (!isMailAddress(address)) return undefined;
  return { name: (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), address };
}
