import { z } from 'zod';

import type { SendResult } from '../shipment.ts';

const smtpErrorSchema = z.object({
  code: z.string().optional(),
  command: z.string().optional(),
  responseCode: z.number().int().optional(),
  permanent: z.boolean().optional(),
});

/**
 * What a failed transaction means for the mail (RFC 5321: a 4yz reply is transient, a 5yz reply is
 * permanent). Without a reply the final dot decides: once it is written, the server may have the mail.
 */
export function classifyMailError(
  error: unknown,
  isDotWritten: boolean,
): Exclude<SendResult, { result: 'sent' }> {
  const facts = smtpErrorSchema.safeParse(error).data ?? {};
  const { responseCode } = facts;
  if (responseCode !== undefined && responseCode >= 400) {
    const cause = `the mail server answered ${responseCode}${describeCommand(facts.command)}`;
    // 421 is the server as a whole (RFC 5321 4.2.2): it is going away, or takes no more connections.
    if (facts.permanent !== true) {
      return { result: 'not_sent_retry', cause, contact: responseCode === 421 ? 'silent' : 'answered' };
    }
    const hint = facts.code === 'EAUTH' ? ': check user and password of SMTP_URL' : '';
    return { result: 'permanent', cause: cause + hint };
  }
  const code = facts.code === undefined ? '' : ` (${facts.code})`;
  if (isDotWritten) {
    return { result: 'unknown', cause: `the mail server took the mail and did not confirm it${code}` };
  }
  return { result: 'not_sent_retry', cause: `the mail server cannot be used now${code}` };
}

/** The command without its argument, which can be an address. */
function describeCommand(command: string | undefined): string {
  const verb = /^[A-Z]{3,10}( (?:TO|FROM))?/.exec(command ?? '')?.[0];
  return verb === undefined ? '' : ` to ${verb}`;
}
