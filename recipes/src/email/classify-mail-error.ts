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
    return { result: 'permanent', cause: cause + adviseOnLogin(facts) };
  }
  const code = facts.code === undefined ? '' : ` (${facts.code})`;
  if (isDotWritten) {
    return { result: 'unknown', cause: `the mail server took the mail and did not confirm it${code}` };
  }
  // The SDK breaks the connection off where an attachment can not be read to its end.
  if (facts.code === 'ESTREAM') {
    return { result: 'not_sent_retry', cause: 'its attachments can not be read any more', contact: 'none' };
  }
  return {
    result: 'not_sent_retry',
    cause: `the mail server cannot be used now${code}${adviseOnLogin(facts)}`,
  };
}

function adviseOnLogin({ code, command = '' }: z.infer<typeof smtpErrorSchema>): string {
  if (code !== 'EAUTH') return '';
  return command.startsWith('AUTH XOAUTH2')
    ? ': check mail.oauth2 of aftermeet.yaml'
    : ': check user and password of SMTP_URL';
}

/** The command without its argument, which can be an address. */
function describeCommand(command: string | undefined): string {
  const verb = /^[A-Z]{3,10}( (?:TO|FROM))?/.exec(command ?? '')?.[0];
  return verb === undefined ? '' : ` to ${verb}`;
}
