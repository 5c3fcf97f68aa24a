import type { Connection } from '../send-request.ts';
import type { ChunkBuffer } from './chunk-buffer.ts';
import type { FinishedUploads } from './finished-uploads.ts';
import type { Journal } from './journal.ts';
import type { Transport } from './open-transport.ts';
import type { UploadPlan } from './plan-upload.ts';
import type { UploadFile } from './upload-file.ts';
import type { FormDetails, UploadDetails, UploadProgress } from './upload.ts';

/** Everything that one upload needs, whichever attempt it is. */
export interface UploadJob {
  readonly connection: Connection;
  readonly transport: Transport;
  readonly file: UploadFile;
  readonly details: UploadDetails;
  /** The details as they stand in the forms of the upload with this id. */
  readonly fillDetails: (uploadId: string) => FormDetails;
  readonly plan: UploadPlan;
  readonly buffers: readonly ChunkBuffer[];
  /** Of the forms; the buffers have room for it. */
  readonly boundary: string;
  readonly journal: Journal;
  /** Undefined: what was uploaded before does not matter. */
  readonly finished: FinishedUploads | undefined;
  /** Nor does a meeting that an earlier run may have made without learning of it. */
  readonly force: boolean;
  readonly signal: AbortSignal | undefined;
  readonly report: (step: UploadProgress['step'], doneBytes: number) => void;
}
