import type { MailSettings } from '../destinations.ts';
import { hashTarget } from '../effect-key.ts';
import { readMailbox } from './mail-address.ts';

const slot = '{recipient}';

/**
 * Where a recipient asks for no more mail: the configured address, in which `{recipient}` becomes the SHA-256 of theirs
 * in lower case (RFC 8058 wants the address to say who it is, and an address in the open is nobody's business), else a
 * mail to the sender.
 */
export function writeUnsubscribeUrl(
  { unsubscribeUrl, from }: Pick<MailSettings, 'unsubscribeUrl' | 'from'>,
  recipient: string,
): string {
  if (unsubscribeUrl !== undefined) {
    const url = unsubscribeUrl.replaceAll(slot, hashTarget(recipient.toLowerCase()));
    // RFC 2369 2: a header holds an address in ASCII, and other letters in it would be written as no reader knows them.
    return URL.canParse(url) ? new URL(url).href : url;
  }
  // RFC 6068 2: what an address has in common with the mark-up of a URL is written as its code.
  const address = encodeURIComponent(readMailbox(from)?.address ?? '').replaceAll('%40', '@');
  return `mailto:${address}?subject=unsubscribe`;
}

/** The same where one mail is written for several recipients: an address that has to say who it is can't stand there. */
export function writeSharedUnsubscribeUrl(settings: Pick<MailSettings, 'unsubscribeUrl' | 'from'>): string {
  return writeUnsubscribeUrl(isPersonal(settings) ? { from: settings.from } : settings, '');
}

/**
 * The headers that make mail readers offer it (RFC 2369). A single click sends no more than the address, so it is
 * offered where that says who it is (RFC 8058 3.1); any other address is a page to look at.
 */
export function listUnsubscribeHeaders(
  settings: Pick<MailSettings, 'unsubscribeUrl' | 'from'>,
  recipient: string,
): Readonly<Record<string, string>> {
  return {
    'List-Unsubscribe': `<${writeUnsubscribeUrl(settings, recipient)}>`,
    ...(isPersonal(settings) ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
  };
}

function isPersonal({ unsubscribeUrl }: Pick<MailSettings, 'unsubscribeUrl'>): boolean {
  return unsubscribeUrl?.includes(slot) === true;
}
