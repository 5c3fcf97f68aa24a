import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { NotSent } from '../shipment.ts';
import type { Spooled } from '../spool/spool-stream.ts';
import { classifySlackError } from './classify-slack-error.ts';

const announcedSchema = z.object({ upload_url: z.url({ protocol: /^https?$/ }), file_id: z.string() });

/** Refusals of the moment: a limit of time, and one of the rate. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429]);

/**
 * Hands a file to Slack: its name and length, then its bytes. Nobody sees it before it is shared, so nothing of this is
 * unclear: what was not uploaded to the end is simply uploaded again (docs.slack.dev, files.getUploadURLExternal).
 */
export async function uploadFile(
  client: WebClient,
  filename: string,
  { bytes, read }: Pick<Spooled, 'bytes' | 'read'>,
  timeoutMs: number,
): Promise<{ readonly id: string } | NotSent> {
  try {
    const answer = await client.files.getUploadURLExternal({ filename, length: bytes });
    const announced = announcedSchema.parse(answer);
    const uploaded = await fetch(announced.upload_url, {
      method: 'POST',
      body: read(),
      duplex: 'half',
      redirect: 'error',
      // Of a stream `fetch` knows no length, and would send it in chunks.
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Its body is of no interest, and what is not read keeps the connection.
    await uploaded.arrayBuffer();
    if (uploaded.ok) return { id: announced.file_id };
    const cause = `Slack answered ${String(uploaded.status)} to the upload of a file`;
    const isLasting = uploaded.status < 500 && !passingStatuses.has(uploaded.status);
    return { result: isLasting ? 'permanent' : 'not_sent_retry', cause };
  } catch (error) {
    const failure = classifySlackError(error);
    return failure.result === 'unknown' ? { ...failure, result: 'not_sent_retry' } : failure;
  }
}
