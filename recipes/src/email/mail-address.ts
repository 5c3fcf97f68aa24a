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
const addressPattern = new RegExp(
  String.raw`^(?=[^@]{1,64}@)${word}(?:\.${word})*@(?:${label}\.)+${lastLabel}$`,
);

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
  const at = text.lastIndexOf('@');
  const address = at < 0 ? text : text.slice(0, at + 1) + readMailDomain(text.slice(at + 1));
  return isMailAddress(address) ? address : undefined;
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
