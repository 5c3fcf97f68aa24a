import type { ServiceActions } from '../open-carriers.ts';
import type { MailMessage } from './mail-message.ts';
import { spoolExports, type Spooling } from './spool-exports.ts';
import { type StartTimer, startTimer } from './transmit-mail.ts';

/** The attachments of all mails that are on their way. */
export interface Spool {
  /** What a mail wants to have attached; a mail that wants nothing costs nothing. */
  fetch(message: Pick<MailMessage, 'attach' | 'meetingId'>): Promise<Spooling>;
  close(): Promise<void>;
}

/** A mail that is prepared and then not sent (another worker did) lets go of its files after `keptMs`. */
export function openSpool(
  service: Pick<ServiceActions, 'exports'> | undefined,
  keptMs: number,
  start: StartTimer = startTimer,
): Spool {
  const kept = new Set<() => Promise<void>>();
  return {
    async fetch({ attach = [], meetingId = '' }) {
      const spooled = await spoolExports(service, meetingId, attach, { start });
      if (spooled.result !== 'ready' || spooled.files.length === 0) return spooled;
      const discard = async (): Promise<void> => {
        clearTimeout(timer);
        kept.delete(discard);
        await spooled.discard();
      };
      const timer = setTimeout(() => void discard(), keptMs).unref();
      kept.add(discard);
      return { ...spooled, discard };
    },
    async close() {
      await Promise.all([...kept].map((discard) => discard()));
    },
  };
}
