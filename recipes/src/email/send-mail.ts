import type { MailSettings } from '../destinations.ts';
import { type Carrier, type ProbeResult, type SendResult, sendTimeoutMs } from '../shipment.ts';
import { classifyMailError } from './classify-mail-error.ts';
import { findSentMail, isMailboxUrl } from './find-sent-mail.ts';
import { isMailAddress, type Mailbox, readMailbox } from './mail-address.ts';
import { type MailLane, type MailTimeouts, openMailLane } from './mail-lane.ts';
import type { MailMessage } from './mail-message.ts';

/**
 * A server that has the mail may look through it for minutes before it says so (RFC 5321 4.5.3.2.6
 * grants it ten), and whoever hangs up earlier gets the mail a second time. Longer than this would hold
 * up a worker that is closing, and an effect whose worker has died.
 */
export function mailTimeouts({ timeoutMs }: { readonly timeoutMs: number }): MailTimeouts {
  return { untilDotMs: timeoutMs, afterDotMs: 5 * timeoutMs };
}

/**
 * Opens the mail server. One mail has one recipient and one transaction, and its Message-ID comes from
 * the effect's key: a mail that had to be sent again can be recognised by whoever receives it.
 */
export function openMail(
  settings: MailSettings,
  timeouts = mailTimeouts({ timeoutMs: sendTimeoutMs }),
): Carrier<MailMessage> {
  const from = readMailbox(settings.from);
  if (from === undefined) {
    throw new Error(
      'the sender (MAIL_FROM) is not an address: expected name@example.com or Name <name@example.com>',
    );
  }
  const protocol = URL.canParse(settings.smtpUrl) ? new URL(settings.smtpUrl).protocol : '';
  if (protocol !== 'smtp:' && protocol !== 'smtps:') {
    throw new Error(
      'the mail server (SMTP_URL) is not an address: expected smtp://host:port or smtps://host:port',
    );
  }
  const { imap } = settings;
  if (imap !== undefined && !isMailboxUrl(imap.url)) {
    throw new Error('the mailbox (IMAP_URL) is not an address: expected imaps://user:password@host');
  }
  const idle: MailLane[] = [];
  const all: MailLane[] = [];
  const takeLane = (): MailLane => {
    const lane = idle.pop() ?? openMailLane(settings, timeouts);
    if (!all.includes(lane)) all.push(lane);
    return lane;
  };
  return {
    prepare: async (message, label) => {
      if (!isMailAddress(label.target)) {
        return { result: 'permanent', cause: 'the recipient is not one valid address', contact: 'none' };
      }
      const messageId = formatMessageId(label.effectKey, from);
      const send = async (): Promise<SendResult> => {
        const lane = takeLane();
        const result = await sendMail(lane, message, { to: label.target, from, messageId }, timeouts);
        idle.push(lane);
        return result;
      };
      const probe = async (): Promise<ProbeResult> => {
        // A mail server keeps no record that we could ask; a mailbox may, and tells nothing of the mail server.
        if (imap === undefined) return { result: 'untraceable' };
        return { ...(await findSentMail(imap, messageId, sendTimeoutMs)), contact: 'none' };
      };
      const timeoutMs = timeouts.untilDotMs + timeouts.afterDotMs;
      return { result: 'ready', shipment: { timeoutMs, send, probe } };
    },
    close: async () => {
      for (const lane of all) lane.transport.close({ force: true });
    },
  };
}

/** The same effect has the same id in every attempt. */
function formatMessageId(effectKey: string, from: Mailbox): string {
  return `<${effectKey}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
}

interface MailEnvelope {
  readonly from: Mailbox;
  readonly to: string;
  readonly messageId: string;
}

async function sendMail(
  lane: MailLane,
  message: MailMessage,
  { from, to, messageId }: MailEnvelope,
  { untilDotMs, afterDotMs }: MailTimeouts,
): Promise<SendResult> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  let timer = setTimeout(stop, untilDotMs);
  let isDotWritten = false;
  lane.onDotWritten = () => {
    clearTimeout(timer);
    if (!isDotWritten) timer = setTimeout(stop, afterDotMs);
    isDotWritten = true;
  };
  try {
    await lane.transport.sendMail({
      from: { ...from },
      to: { name: '', address: to },
      envelope: { from: from.address, to: [to] },
      messageId,
      subject: message.subject,
      text: message.text,
      html: message.html,
      // RFC 3834: no out-of-office answers to a machine.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      signal: stopping.signal,
    });
    return { result: 'sent', reference: messageId };
  } catch (error) {
    return classifyMailError(error, isDotWritten);
  } finally {
    lane.onDotWritten = () => {};
    clearTimeout(timer);
  }
}
