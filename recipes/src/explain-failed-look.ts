import type { ProbeResult, SendResult } from './shipment.ts';

/** What a look at a destination says that has failed like this; `cause` is for people. */
export function explainFailedLook(failure: SendResult, cause: string): ProbeResult {
  if (failure.result === 'rate_limited') return { ...failure, cause };
  const { result, contact } = failure;
  return {
    result: result === 'permanent' ? 'impossible' : 'not_asked',
    cause,
    ...(contact === undefined ? {} : { contact }),
  };
}
