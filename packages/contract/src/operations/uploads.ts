import { optional, required } from '../field.ts';
import { localDateTime, templateName, webhookSecret, webhookUrl } from '../fields.ts';
import { limits } from '../limits.ts';
import type { BrokenField, Operation } from '../operation.ts';
import { fileBytes, fileName, sha256, text, uuid, wholeNumber } from '../rules.ts';

// Chunks of one byte, and the empty one that completes the upload: there can never be more.
const maxChunkTotal = limits.uploadMaxBytes + 1;

const form = {
  id: required({ rule: uuid, description: 'The upload, the same in all its chunks' }),
  chunkTotal: required({
    wire: 'chunk_total',
    rule: wholeNumber(2, maxChunkTotal),
    description: 'The number of data chunks plus one',
  }),
  chunkNumber: required({
    wire: 'chunk_number',
    rule: wholeNumber(0, maxChunkTotal - 1),
    description: 'The index of this chunk; the last one completes the upload and is empty',
  }),
  filename: required({ rule: fileName, description: 'The file name' }),
  templateName: optional(templateName),
  title: optional({ rule: text(), description: 'The meeting title' }),
  uploadSessionId: required({
    wire: 'upload_session_id',
    rule: uuid,
    description: 'The attempt, the same in all its chunks',
  }),
  expectedFileSize: required({
    wire: 'expected_file_size',
    rule: wholeNumber(
      1,
      limits.uploadMaxBytes,
      `the size of a file that is not empty and at most 3 GB, in bytes: a whole number from 1 to ${limits.uploadMaxBytes}`,
    ),
    description: 'The size of the file in bytes',
  }),
  webhookUrl: optional(webhookUrl),
  expectedSha256: optional({
    wire: 'expected_sha256',
    rule: sha256,
    description: 'SHA-256 of the whole file',
    observed: true,
  }),
  webhookSecret: optional({ ...webhookSecret, observed: true }),
  localTime: optional({
    ...localDateTime,
    wire: 'localTime',
    description: 'When the meeting took place; the seconds may be left out',
    observed: true,
  }),
  speakersNumber: optional({
    wire: 'speakers_number',
    rule: wholeNumber(1),
    description: 'How many people speak',
    observed: true,
  }),
  file: required({
    rule: fileBytes,
    description: 'The bytes of this chunk, under the file name; none in the last request',
  }),
} as const;

function checkChunk({
  chunkNumber,
  chunkTotal,
  file,
}: Readonly<Record<string, unknown>>): BrokenField | undefined {
  if (Number(chunkNumber) >= Number(chunkTotal)) {
    return { name: 'chunkNumber', expected: 'smaller than the number of chunks' };
  }
  const bytes = file instanceof Uint8Array ? file.byteLength : 0;
  if (bytes > limits.uploadChunkBytes) {
    return { name: 'file', expected: `at most ${limits.uploadChunkBytes} bytes (20 MiB)` };
  }
  const isLast = Number(chunkNumber) === Number(chunkTotal) - 1;
  return (bytes === 0) === isLast
    ? undefined
    : { name: 'file', expected: 'empty in the last chunk and in no other' };
}

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
    checkTogether: checkChunk,
    response: 'mixed',
    errors: [400, 401, 402, 403, 404, 500],
    assumedErrors: [
      {
        status: 409,
        meaning: 'Chunks are missing, or a newer attempt has taken the place of this one.',
      },
    ],
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
