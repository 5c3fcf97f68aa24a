/** What a server says with a code: RFC 5321 section 4.2.3, RFC 4954. The enhanced code (RFC 3463) is set before it. */
const texts: ReadonlyMap<number, string> = new Map([
  [421, 'Service not available, closing transmission channel'],
  [450, 'Requested mail action not taken: mailbox unavailable'],
  [451, 'Requested action aborted: local error in processing'],
  [452, 'Requested action not taken: insufficient system storage'],
  [454, 'Temporary authentication failure'],
  [530, 'Authentication required'],
  [535, 'Authentication credentials invalid'],
  [550, 'Requested action not taken: mailbox unavailable'],
  [551, 'User not local'],
  [552, 'Requested mail action aborted: exceeded storage allocation'],
  [553, 'Requested action not taken: mailbox name not allowed'],
  [554, 'Transaction failed'],
]);

/** A refusal as the SMTP library takes it. */
export interface SmtpRefusal extends Error {
  readonly responseCode: number;
}

export function refuseSmtp(responseCode: number, text = texts.get(responseCode)): SmtpRefusal {
  const message = text ?? 'A fault that was planned at /_sandbox/faults';
  return Object.assign(new Error(message), { responseCode });
}
