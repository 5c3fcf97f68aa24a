import { randomUUID } from 'node:crypto';

import { limits } from '@aftermeet/contract';

import { joinProblems } from '../describe-problems.ts';
import type { Connection } from '../send-request.ts';
import { fillWebhook, type FindWebhookTarget } from '../webhook-target.ts';
import { createChunkBuffer } from './chunk-buffer.ts';
import { buildChunkForm, type UploadIdentity } from './chunk-form.ts';
import { measureForm } from './chunk-sender.ts';
import { openMemory } from './open-memory.ts';
import { nameSource, openSource } from './open-source.ts';
import { openTransport } from './open-transport.ts';
import { planUpload } from './plan-upload.ts';
import { runUpload } from './run-upload.ts';
import { refuseUpload, throwIfAborted } from './upload-fault.ts';
import type { UploadFile } from './upload-file.ts';
import type { FormDetails, UploadDetails, UploadOptions, UploadResult, UploadSource } from './upload.ts';

const MAX_PARALLEL = 4;
/** Bytes by which the address of another attempt may be longer. */
const ADDRESS_ROOM = 4096;

export interface UploadWorld {
  readonly connection: Connection;
  readonly webhookTargets?: FindWebhookTarget | undefined;
  /** At most 20 MiB. */
  readonly chunkBytes: number;
}

/** Uploads a source; see `UploadOptions`. What breaks a rule is refused before the first byte is read. */
export async function sendUpload(
  world: UploadWorld,
  source: UploadSource,
  details: UploadDetails,
  options: UploadOptions,
): Promise<UploadResult> {
  const { parallel = 1, signal } = options;
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > MAX_PARALLEL) {
    throw refuseUpload(`parallel must be a whole number from 1 to ${MAX_PARALLEL}`);
  }
  checkForm(nameSource(source), fillDetails(world, details, randomUUID()));
  throwIfAborted(signal);
  const file = await openSource(source, signal);
  try {
    checkSize(file.size);
    return await sendFile(world, file, details, { ...options, parallel });
  } finally {
    await file.close();
  }
}

async function sendFile(
  world: UploadWorld,
  file: UploadFile,
  details: UploadDetails,
  { parallel, stateFolder, force = false, signal, onProgress }: UploadOptions & { readonly parallel: number },
): Promise<UploadResult> {
  const { connection, chunkBytes } = world;
  const { size, filename } = file;
  const plan = planUpload(size, chunkBytes);
  const { chunkTotal } = plan;
  const boundary = `aftermeet-${randomUUID()}`;
  const ids = makeIds();
  const formDetails = fillDetails(world, details, ids.id);
  const room = measureForm({ ...ids, filename, size, details: formDetails, chunkTotal }, boundary);
  if (details.endpoint !== undefined) room.head += ADDRESS_ROOM;
  const lanes = Math.min(parallel, plan.chunks.length);
  const { finished, journal } = await openMemory(stateFolder, { connection, file, details, chunkBytes });
  const transport = openTransport(connection, lanes);
  try {
    const { meeting, sha256, sent, skipped, duplicate, raw } = await runUpload({
      connection,
      transport,
      file,
      details,
      fillDetails: (uploadId) => fillDetails(world, details, uploadId),
      plan,
      buffers: Array.from({ length: lanes }, () =>
        createChunkBuffer(Math.min(chunkBytes, size), room.head, room.tail),
      ),
      boundary,
      journal,
      finished: force ? undefined : finished,
      force,
      signal,
      report: (step, doneBytes) => onProgress?.({ step, doneBytes, totalBytes: size }),
    });
    // The upload is done: that it cannot be noted changes nothing about it.
    await finished?.add(size, sha256, meeting).catch(() => {});
    await journal.forget();
    const chunks = { total: plan.chunks.length, sent, skipped };
    return { ...meeting, duplicate, bytes: size, sha256, chunks, raw };
  } finally {
    transport.close();
    await journal.release();
  }
}

/** Before a stream is read into a temporary file, or a chunk sent: the rules that do not depend on the content. */
function checkForm(filename: string, details: FormDetails): void {
  buildChunkForm({ ...makeIds(), filename, details, size: 1, chunkTotal: 2 }, 1, new Uint8Array(0));
}

/** The id stays the same when an upload goes on, so the address that is made of it does too. */
function fillDetails({ webhookTargets }: UploadWorld, details: UploadDetails, name: string): FormDetails {
  const read = fillWebhook(details, { kind: 'upload', name }, webhookTargets);
  if (!read.ok) throw refuseUpload(joinProblems([read.problem]));
  return read.fields;
}

function makeIds(): Pick<UploadIdentity, 'id' | 'sessionId'> {
  return { id: randomUUID(), sessionId: randomUUID() };
}

function checkSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw refuseUpload('size must be a whole number of bytes');
  if (size === 0) throw refuseUpload('the file is empty: a recording has at least one byte');
  if (size > limits.uploadMaxBytes) {
    throw refuseUpload(
      `the file is too large: at most ${limits.uploadMaxBytes} bytes (3 GB) can be uploaded`,
    );
  }
}
