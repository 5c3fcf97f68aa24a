import * as z from 'zod';

import { chunkShape } from '../answer-shapes.ts';
import { jsonBody, optionalId, succeed } from '../answers.ts';
import {
  filePart,
  integerText,
  localDateTime,
  templateName,
  text,
  uuid,
  webhookAddress,
  webhookSecret,
} from '../fields.ts';
import { limits } from '../limits.ts';
import type { Operation } from '../operation.ts';

// Chunks of one byte, and the empty one that completes the upload: there can never be more.
const maxChunkTotal = limits.uploadMaxBytes + 1;

const digestRule = 'a SHA-256 of 64 lowercase hex digits';

const fields = z.strictObject({
  id: uuid.meta({ description: 'The upload, the same in all its chunks' }),
  chunk_total: integerText(2, maxChunkTotal).meta({ description: 'The number of data chunks plus one' }),
  chunk_number: integerText(0, maxChunkTotal - 1).meta({
    description: 'The index of this chunk; the last one completes the upload and is empty',
  }),
  filename: text('a file name without control characters')
    .regex(/^\P{Cc}+$/u, { error: 'a file name without control characters' })
    .meta({ description: 'The file name' }),
  template_name: templateName.optional(),
  title: text().meta({ description: 'The meeting title' }).optional(),
  upload_session_id: uuid.meta({ description: 'The attempt, the same in all its chunks' }),
  expected_file_size: integerText(
    1,
    limits.uploadMaxBytes,
    `the size of a file that is not empty and at most 3 GB, in bytes: a whole number from 1 to ${limits.uploadMaxBytes}`,
  ).meta({ description: 'The size of the file in bytes' }),
  webhook_url: webhookAddress.optional(),
  expected_sha256: z
    .string({ error: digestRule })
    .regex(/^[0-9a-f]{64}$/, { error: digestRule })
    .meta({ description: 'SHA-256 of the whole file', observed: true })
    .optional(),
  webhook_secret: webhookSecret.meta({ observed: true }).optional(),
  localTime: localDateTime
    .meta({ description: 'When the meeting took place; the seconds may be left out', observed: true })
    .optional(),
  speakers_number: integerText(1).meta({ description: 'How many people speak', observed: true }).optional(),
  file: filePart,
});

type WireForm = z.output<typeof fields>;

/** A rule across fields says nothing until each field is right by itself. A form that is read back meets it first. */
function across(rule: (form: WireForm) => boolean): (form: WireForm) => boolean {
  return (form) => !fields.safeEncode(form).success || rule(form);
}

const form = fields
  .refine(
    across(({ chunk_number: number, chunk_total: total }) => Number(number) < Number(total)),
    { path: ['chunk_number'], abort: true, error: 'smaller than chunk_total' },
  )
  .refine(
    across(({ file }) => file.byteLength <= limits.uploadChunkBytes),
    { path: ['file'], abort: true, error: `at most ${limits.uploadChunkBytes} bytes (20 MiB)` },
  )
  .refine(
    across(
      ({ file, chunk_number: number, chunk_total: total }) =>
        (file.byteLength === 0) === (Number(number) === Number(total) - 1),
    ),
    { path: ['file'], error: 'empty in the last chunk and in no other' },
  );

/** Sending a recorded file, one request per chunk. */
export const uploads = {
  chunk: {
    id: 'uploads.chunk',
    method: 'POST',
    path: '/api/video',
    summary: 'Send one chunk of a file',
    description:
      'A file goes in chunks of at most 20 MiB, numbered from 0, one request each. A last request with an empty `file` completes the upload: its number is the number of the chunks before it, `chunk_total` is one more, and its answer names the meeting. `id` is observed to stay the same for one recording, `upload_session_id` to be new with every full attempt.',
    section: 'File upload',
    params: { form },
    response: 'mixed',
    answers: [
      succeed(
        'The chunk is taken. The answer to the last one names the meeting; those to the others are not shown.',
        jsonBody(chunkShape),
      ),
    ],
    errors: [400, 401, 402, 403, 404, 500],
    assumedErrors: [
      {
        status: 409,
        meaning: 'Chunks are missing, or a newer attempt has taken the place of this one.',
      },
    ],
    // The answers to all chunks but the last are not shown.
    output: z.looseObject({ meeting_id: optionalId, user_id: optionalId }).catch({}),
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
