import { z } from 'zod';

import { templateName, text, uuid, webhookAddress, webhookSecret } from '../fields.ts';
import { filePart } from '../file-part.ts';
import { limits } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { optionalId } from '../responses.ts';
import { mustBe } from '../rule.ts';
import { integerText } from '../wire-codecs.ts';

// Chunks of one byte, and the empty one that completes the upload: there can never be more.
const maxChunkTotal = limits.uploadMaxBytes + 1;

const digestRule = mustBe('a SHA-256 of 64 lowercase hex digits');

// Rules across fields look at nothing until each field is right by itself.
const when = ({ issues }: { readonly issues: readonly unknown[] }): boolean => issues.length === 0;

const form = z
  .strictObject({
    id: uuid.meta({ description: 'The upload, the same in all its chunks' }),
    chunk_total: integerText(2, maxChunkTotal).meta({ description: 'The number of data chunks plus one' }),
    chunk_number: integerText(0, maxChunkTotal - 1).meta({
      description: 'The index of this chunk; the last one completes the upload and is empty',
    }),
    filename: text('a file name without control characters')
      .regex(/^\P{Cc}+$/u, { error: mustBe('a file name without control characters') })
      .meta({ description: 'The file name' }),
    template_name: templateName.optional(),
    title: text().meta({ description: 'The meeting title' }).optional(),
    upload_session_id: uuid.meta({ description: 'The attempt, the same in all its chunks' }),
    expected_file_size: integerText(1, limits.uploadMaxBytes).meta({
      description: 'The size of the file in bytes',
    }),
    webhook_url: webhookAddress.optional(),
    expected_sha256: z
      .string({ error: digestRule })
      .regex(/^[0-9a-f]{64}$/, { error: digestRule })
      .meta({ description: 'SHA-256 of the whole file', observed: true })
      .optional(),
    webhook_secret: webhookSecret.meta({ observed: true }).optional(),
    localTime: text().meta({ description: 'When the meeting took place', observed: true }).optional(),
    speakers_number: integerText(1, 1000)
      .meta({ description: 'How many people speak', observed: true })
      .optional(),
    file: filePart,
  })
  .refine(({ chunk_number: number, chunk_total: total }) => Number(number) < Number(total), {
    when,
    path: ['chunk_number'],
    error: 'must be smaller than chunk_total',
  })
  .refine(({ file }) => file.byteLength <= limits.uploadChunkBytes, {
    when,
    path: ['file'],
    error: `must hold at most ${limits.uploadChunkBytes} bytes (20 MiB)`,
  })
  .refine(
    ({ file, chunk_number: number, chunk_total: total }) =>
      (file.byteLength === 0) === (Number(number) === Number(total) - 1),
    { when, path: ['file'], error: 'must be empty in the last chunk, and in no other' },
  );

/** Sending a recorded file, one request per chunk. */
export const uploads = {
  chunk: {
    id: 'uploads.chunk',
    method: 'POST',
    path: '/api/video',
    summary: 'Send one chunk of a file',
    section: 'File upload',
    params: { form },
    response: 'mixed',
    // The answers to all chunks but the last are not shown.
    output: z.looseObject({ meeting_id: optionalId, user_id: optionalId }).catch({}),
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
