import type { MailTimeouts } from './mail-lane.ts';

/**
 * A server that has the mail may look through it for minutes before it says so (RFC 5321 4.5.3.2.6
 * grants it ten), and whoever hangs up earlier gets the mail a second time. Longer than this would hold
 * up a worker that is closing, and an effect whose worker has died.
 */
export function mailTimeouts({ timeoutMs }: { readonly timeoutMs: number }): MailTimeouts {
  return { untilDotMs: timeoutMs, afterDotMs: 5 * timeoutMs };
}
