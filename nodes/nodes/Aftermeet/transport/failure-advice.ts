import { AmbiguousWriteError, type ServiceError, type ServiceErrorCode } from '@aftermeet/client/pure';

/** What to do, by the code of the client's errors. */
const byCode: Readonly<Record<ServiceErrorCode, string>> = {
  connection: 'Check the address in the credential, and whether n8n can reach the service.',
  timeout: 'The service did not answer in time. Try again later.',
  aborted: 'If it was a change, look at the service: it may have taken effect.',
  ambiguous: 'Nobody knows whether it took effect: look at the service before you run this again.',
  redirected: 'The service answers from another address: put that one into the credential.',
  bad_request: 'Check the parameters of this node.',
  unauthorized: 'Check the API Key in the credential. A new key makes the old one invalid at once.',
  payment_required: 'The minutes of the plan may be used up: see the workspace.',
  forbidden: 'The plan or the key does not allow this.',
  not_found: 'Check the ID. It has to be of the workspace whose key the credential holds.',
  conflict: 'It is there already, or not in a state that allows this.',
  not_ready: 'The meeting is not processed yet: use Wait Until Ready before this.',
  // Not n8n's Retry On Fail: that would send again what may have taken effect, too.
  rate_limited: 'The service was asked too often. Run this later, or with fewer items at a time.',
  server: 'The service failed. Try again later.',
  unexpected_status: 'Check the address in the credential.',
  unreadable: 'Check the address in the credential: something else may answer there.',
  file_system: 'Check the disk of the machine on which n8n runs.',
};

/** The operations of this node that show whether a write took effect. */
const settledBy: Readonly<Record<AmbiguousWriteError['settleWith']['operation'], string>> = {
  'meetings.search': 'Meeting: Get Many',
  'reports.get': 'Report: Get',
  'tags.list': 'Tag: Get Many',
};

/** What somebody who builds a workflow can do about it, in a few sentences. Pure. */
export function adviseOn(error: ServiceError): string {
  if (error instanceof AmbiguousWriteError) {
    const look = settledBy[error.settleWith.operation];
    return `It was not sent again, because it may have taken effect. Look with ${look} before you run this again.`;
  }
  const { code, retryAfterMs } = error;
  if (retryAfterMs === undefined) return byCode[code];
  return `${byCode[code]} It asks to be left alone for ${Math.ceil(retryAfterMs / 1000)} seconds.`;
}
