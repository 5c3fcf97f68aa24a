import type { MailSettings } from '../destinations.ts';
import type { ServiceActions } from '../open-carriers.ts';
import {
  type Carrier,
  type Preparation,
  type ProbeResult,
  type SendResult,
  sendTimeoutMs,
} from '../shipment.ts';
import { checkMailSettings } from './check-mail-settings.ts';
import { composeMail, formatMessageId, type MailFiles } from './compose-mail.ts';
import { usualOutbox } from './draft-box.ts';
import { openDraftShipment } from './draft-shipment.ts';
import { findSentMail } from './find-sent-mail.ts';
import { isMailAddress } from './mail-address.ts';
import { type MailLane, openMailLane } from './mail-lane.ts';
import type { MailMessage } from './mail-message.ts';
import { cutOffMs, mailTimeouts, mailTimeoutsFor } from './mail-timeouts.ts';
import { openSpool } from './open-spool.ts';
import { type StartTimer, startTimer, transmitMail } from './transmit-mail.ts';

/**
 * Opens the mail server. One mail has one recipient and one transaction, and its Message-ID comes from
 * the effect's key: a mail that had to be sent again can be recognised by whoever receives it. A draft goes into the
 * outbox instead. Throws where the settings are none, without repeating them.
 */
export function openMail(
  settings: MailSettings,
  timeouts = mailTimeouts({ timeoutMs: sendTimeoutMs }),
  service?: Pick<ServiceActions, 'exports'>,
  start: StartTimer = startTimer,
): Carrier<MailMessage> {
  const from = checkMailSettings(settings);
  const { imap, outbox = usualOutbox } = settings;
  const idle: MailLane[] = [];
  const all: MailLane[] = [];
  const takeLane = (): MailLane => {
    const lane = idle.pop() ?? openMailLane(settings, timeouts);
    if (!all.includes(lane)) all.push(lane);
    return lane;
  };
  const spool = openSpool(service, cutOffMs(timeouts), start);

  const prepareMail = (
    message: MailMessage,
    { effectKey, to }: { readonly effectKey: string; readonly to: string },
    spooled: MailFiles & { readonly discard: () => Promise<void> },
  ): Preparation => {
    const compose = (key: string) => composeMail(message, { effectKey: key, to, from }, spooled, settings);
    if (message.isDraft === true) {
      const tools = { outbox, effectKey, compose, release: spooled.discard, overMs: cutOffMs(timeouts) };
      return { result: 'ready', shipment: openDraftShipment(tools) };
    }
    const messageId = formatMessageId(effectKey, from);
    const granted = mailTimeoutsFor(timeouts, base64Growth * sumBytes(spooled));
    const timeoutMs = granted.untilDotMs + granted.afterDotMs;
    const send = async (): Promise<SendResult> => {
      const lane = takeLane();
      const sent = await transmitMail(lane, { ...compose(effectKey), messageId }, granted, start);
      idle.push(lane);
      await spooled.discard();
      return sent;
    };
    const probe = async (): Promise<ProbeResult> => {
      // A mail server keeps no record that we could ask; a mailbox may, and tells nothing of the mail server.
      if (imap === undefined) return { result: 'untraceable' };
      return { ...(await findSentMail(imap, messageId, sendTimeoutMs)), contact: 'none' };
    };
    return { result: 'ready', shipment: { timeoutMs, send, probe } };
  };

  return {
    prepare: async (message, { effectKey, target }) => {
      if (!isMailAddress(target)) {
        return { result: 'permanent', cause: 'the recipient is not one valid address', contact: 'none' };
      }
      const spooled = await spool.fetch(message);
      if (spooled.result !== 'ready') return { ...spooled, contact: 'none' };
      return prepareMail(message, { effectKey, to: target }, spooled);
    },
    close: async () => {
      for (const lane of all) lane.transport.close({ force: true });
      await spool.close();
    },
  };
}

/** RFC 2045 6.8: four characters for three bytes, and a line break after 76 of them. */
const base64Growth = (4 / 3) * (78 / 76);

function sumBytes({ files }: MailFiles): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
