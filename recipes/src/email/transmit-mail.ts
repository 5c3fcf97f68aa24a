import type { SendMailOptions } from 'nodemailer';

import type { SendResult } from '../shipment.ts';
import { classifyMailError } from './classify-mail-error.ts';
import type { MailLane, MailTimeouts } from './mail-lane.ts';

/** Calls `end` after `ms`, unless what it answers is called before. */
export type StartTimer = (ms: number, end: () => void) => () => void;

export const startTimer: StartTimer = (ms, end) => {
  const timer = setTimeout(end, ms);
  return () => clearTimeout(timer);
};

/** One transaction over a lane that carries nothing else meanwhile. Never throws. */
export async function transmitMail(
  lane: MailLane,
  mail: SendMailOptions & { readonly messageId: string },
  { untilDotMs, afterDotMs }: MailTimeouts,
  start = startTimer,
): Promise<SendResult> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  let callOff = start(untilDotMs, stop);
  let isDotWritten = false;
  lane.onDotWritten = () => {
    callOff();
    if (!isDotWritten) callOff = start(afterDotMs, stop);
    isDotWritten = true;
  };
  try {
    await lane.transport.sendMail({ ...mail, signal: stopping.signal });
    return { result: 'sent', reference: mail.messageId };
  } catch (error) {
    return classifyMailError(error, isDotWritten);
  } finally {
    lane.onDotWritten = () => {};
    callOff();
  }
}
