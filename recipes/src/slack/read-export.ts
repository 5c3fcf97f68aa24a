import { ServiceError } from '@aftermeet/client';

import type { ServiceActions } from '../open-carriers.ts';
import { explainServiceFault } from '../service/explain-service-fault.ts';
import type { NotSent } from '../shipment.ts';
import { type Spooled, spoolStream } from '../spool/spool-stream.ts';
import type { SlackFile } from './slack-message.ts';

/** A report of a long meeting has some megabytes. */
const maxBytes = 50 * 1024 * 1024;

/** The export of a meeting on this machine's disk, or why there is none. What goes wrong here is no fault of Slack's. */
export async function readExport(
  service: ServiceActions,
  { meetingId, format }: Pick<SlackFile, 'meetingId' | 'format'>,
  timeoutMs: number,
): Promise<Spooled | NotSent> {
  try {
    const { stream } = await service.exports.stream(
      { meeting_id: meetingId, format },
      { signal: AbortSignal.timeout(timeoutMs) },
    );
    const spooled = await spoolStream(stream, maxBytes);
    if (spooled === undefined) {
      return { result: 'permanent', cause: 'the export is larger than 50 MiB', contact: 'none' };
    }
    if (spooled.bytes > 0) return spooled;
    await spooled.discard();
    return { result: 'permanent', cause: 'the export is empty', contact: 'none' };
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      const cause =
        'the export cannot be kept on this machine: look at the room in its folder for temporary files';
      return { result: 'not_sent_retry', cause, contact: 'none' };
    }
    const { result, cause } = explainServiceFault(error, 'the export cannot be fetched');
    // A limit of the service is none of Slack's: the channel is not to wait for it.
    return { result: result === 'permanent' ? result : 'not_sent_retry', cause, contact: 'none' };
  }
}
