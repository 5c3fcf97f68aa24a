import type { MailSettings } from '../destinations.ts';
import { hashTarget } from '../effect-key.ts';
import { readMailbox } from './mail-address.ts';

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
    return unsubscribeUrl.replaceAll('{recipient}', hashTarget(recipient.toLowerCase()));
  }
  return `mailto:${encodeURI(readMailbox(from)?.address ?? '')}?subject=unsubscribe`;
}

/** The same where one mail is written for several recipients: an address that has to say who it is can't stand there. */
export function writeSharedUnsubscribeUrl(settings: Pick<MailSettings, 'unsubscribeUrl' | 'from'>): string {
  const isPersonal = settings.unsubscribeUrl?.includes('{recipient}') === true;
  return writeUnsubscribeUrl(isPersonal ? { from: settings.from } : settings, '');
}

/** The headers that make mail readers offer it (RFC 2369); a single click needs https (RFC 8058). */
export function listUnsubscribeHeaders(url: string): Readonly<Record<string, string>> {
  return {
    'List-Unsubscribe': `<${url}>`,
    ...(url.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
  };
}
