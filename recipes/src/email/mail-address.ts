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
