import type { ImapFlow } from 'imapflow';
import { z } from 'zod';

import type { ProbeResult } from '../../engine/prepared-send.ts';
import { isLoopback } from './server-host.ts';
import type { ImapSettings } from './settings.ts';

const imapErrorSchema = z.object({
  code: z.string().optional(),
  authenticationFailed: z.boolean().optional(),
  mailboxMissing: z.boolean().optional(),
  tlsFailed: z.boolean().optional(),
});

/** Whether a text is the address of a mailbox: `imaps://user:password@host`, or `imap://` for STARTTLS. */
export function isMailboxUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isWhole = hostname !== '' && username !== '';
  return /^imaps?:$/.test(protocol) && isWhole && canDecode(username) && canDecode(password);
}

function canDecode(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '' || text === '';
  } catch {
    // A `%` that is not an escape.
    return false;
  }
}

/**
 * Searches the mailbox of sent mail for a Message-ID. Opens a connection of its own, because this is rare. Ends within
 * `timeoutMs`.
 */
export async function findSentMail(
  settings: ImapSettings,
  messageId: string,
  timeoutMs: number,
): Promise<ProbeResult> {
  const client = await openClient(settings, timeoutMs);
  const timer = setTimeout(() => client.close(), timeoutMs);
  try {
    await client.connect();
    await client.mailboxOpen(settings.mailbox ?? (await nameSentFolder(client)), { readOnly: true });
    const found = await client.search({ header: { 'message-id': messageId } });
    if (!Array.isArray(found)) return { result: 'unsure', cause: 'the mailbox cannot be searched' };
    return found.length > 0 ? { result: 'found', reference: messageId } : { result: 'absent' };
  } catch (error) {
    return classifyImapError(error);
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

async function openClient(settings: ImapSettings, timeoutMs: number): Promise<ImapFlow> {
  // Loaded on demand: most installations have no mailbox.
  const imap = await import('imapflow');
  const client = new imap.ImapFlow({
    ...readMailboxUrl(settings.url),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableAutoIdle: true,
    logger: false,
  });
  // Errors are also thrown to the caller; an unhandled `error` event would end the process.
  client.on('error', () => {});
  return client;
}

/**
 * Connection options of a mailbox. The password is never sent in plain text over a network: STARTTLS is required unless the
 * connection is encrypted from the start or stays on this machine.
 */
export function readMailboxUrl(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'imaps:';
  return {
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 993 : 143) : Number(port),
    secure,
    ...(secure || isLoopback(hostname) ? {} : { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  };
}

/** The folder that the server marks for sent mail (RFC 6154), or INBOX. */
async function nameSentFolder(client: ImapFlow): Promise<string> {
  const folders = await client.list();
  return folders.find(({ specialUse }) => specialUse === '\\Sent')?.path ?? 'INBOX';
}

/** Leaves out the server's text, because it can contain an address. */
function classifyImapError(error: unknown): ProbeResult {
  const facts = imapErrorSchema.safeParse(error).data ?? {};
  if (facts.authenticationFailed === true) {
    return {
      result: 'impossible',
      cause: 'the mailbox refuses the login: check user and password of IMAP_URL',
    };
  }
  if (facts.mailboxMissing === true) {
    return { result: 'impossible', cause: 'the folder of sent mail does not exist: check IMAP_MAILBOX' };
  }
  if (facts.tlsFailed === true && facts.code === undefined) {
    return {
      result: 'impossible',
      cause: 'the mailbox does not encrypt: use an imaps:// address in IMAP_URL',
    };
  }
  const code = facts.code === undefined ? '' : ` (${facts.code})`;
  return { result: 'not_asked', cause: `the mailbox cannot be used now${code}` };
}
