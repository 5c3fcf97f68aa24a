import { createTransport } from 'nodemailer';
import type { MailSettings } from '../destinations.ts';

/**
 * One connection to the mail server that carries one mail at a time, so that what the SDK logs can
 * only be about the mail under way.
 */
export interface MailLane {
  readonly transport: ReturnType<typeof openTransport>;
  /** True once the final dot of the mail under way is written: from then on the server may have it. */
  isDotWritten: boolean;
}

export function openMailLane(settings: MailSettings, timeoutMs: number): MailLane {
  const lane: MailLane = {
    isDotWritten: false,
    transport: openTransport(settings, timeoutMs, () => {
      lane.isDotWritten = true;
    }),
  };
  return lane;
}

function openTransport(settings: MailSettings, timeoutMs: number, onDotWritten: () => void) {
  // The SDK says `tnx: 'message'` exactly when the last byte of a mail, its final dot, is written.
  const logger = {
    info: (entry: unknown) => {
      const isObject = typeof entry === 'object' && entry !== null;
      if (isObject && 'tnx' in entry && entry.tnx === 'message') onDotWritten();
    },
    // Without a level of its own, a line would be handed to `info`.
    trace: () => {},
    debug: () => {},
    warn: () => {},
    error: () => {},
    fatal: () => {},
  };
  return createTransport({
    url: settings.smtpUrl,
    pool: true,
    maxConnections: 1,
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: timeoutMs / 2,
    greetingTimeout: timeoutMs / 2,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs / 2,
    logger,
  });
}
