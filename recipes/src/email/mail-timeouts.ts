import type { MailTimeouts } from './mail-lane.ts';

/**
 * A server that has the mail may look through it for minutes before it says so (RFC 5321 4.5.3.2.6
 * grants it ten), and whoever hangs up earlier gets the mail a second time. Longer than this would hold
 * up a worker that is closing, and an effect whose worker has died.
 */
export function mailTimeouts({ timeoutMs }: { readonly timeoutMs: number }): MailTimeouts {
  return { untilDotMs: timeoutMs, afterDotMs: 5 * timeoutMs };
}

/** What the slowest line carries that is reckoned with, 4 Mbit/s: 25 MB take 50 seconds. */
const bytesPerMs = 500;

/** The same for a mail of this many bytes: a large one takes its time until its final dot, and nothing is wrong. */
export function mailTimeoutsFor({ untilDotMs, afterDotMs }: MailTimeouts, bytes: number): MailTimeouts {
  return { untilDotMs: untilDotMs + Math.floor(bytes / bytesPerMs), afterDotMs };
}

/** Twice what sending takes: whoever said longer ago that they send a mail was cut off. Milliseconds. */
export function cutOffMs({ untilDotMs, afterDotMs }: MailTimeouts): number {
  return 2 * (untilDotMs + afterDotMs);
}
