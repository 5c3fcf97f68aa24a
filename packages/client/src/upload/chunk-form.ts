import { buildRequest, type FormEntry, operations } from '@aftermeet/contract';

import { describeProblems } from '../describe-problems.ts';
import { listHidden } from '../list-hidden.ts';
import { refuseUpload } from './upload-fault.ts';
import type { FormDetails } from './upload.ts';

/** What is the same in all requests of one upload. */
export interface UploadIdentity {
  readonly id: string;
  readonly sessionId: string;
  readonly filename: string;
  readonly size: number;
  readonly chunkTotal: number;
  readonly details: FormDetails;
}

/** One request's form, checked against the contract: throws `bad_request` with the rules it breaks. */
export function buildChunkForm(
  { id, sessionId, filename, size, chunkTotal, details }: UploadIdentity,
  chunkNumber: number,
  bytes: Uint8Array,
  sha256?: string,
): readonly FormEntry[] {
  const built = buildRequest(operations.uploads.chunk, {
    ...details,
    id,
    upload_session_id: sessionId,
    filename,
    expected_file_size: size,
    chunk_total: chunkTotal,
    chunk_number: chunkNumber,
    ...(sha256 === undefined ? {} : { expected_sha256: sha256 }),
    file: bytes,
  });
  if (built.ok) return built.form ?? [];
  // The key is no part of the form.
  const hidden = listHidden('', { ...details, filename });
  throw refuseUpload(describeProblems(operations.uploads.chunk, built.problems, hidden));
}
