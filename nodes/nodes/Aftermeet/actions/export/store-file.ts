import { chooseFilename, ServiceError } from '@aftermeet/client/pure';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { measureBinary } from '../../transport/measure-binary.ts';
import type { OpenedFile } from '../../transport/open-file.ts';
import { checkHead, type Format } from './check-head.ts';
import { limitFile } from './limit-file.ts';

const mimeTypes: Readonly<Record<Format, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown',
};

/** A document has some MiB; this is the most that n8n itself takes into its database, and far from filling a disk. */
const MAX_FILE_BYTES = 1024 ** 3;

export interface FileFacts {
  /** What stands in errors. */
  readonly doing: string;
  readonly meetingId: string;
  readonly format: Format;
  /** Default 1 GiB. */
  readonly maxBytes?: number;
}

export interface StoredFile {
  readonly binary: IBinaryData;
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: number;
}

/**
 * Stores a file as it comes in, wherever n8n keeps files. Throws `ServiceError` where the service is at fault: `connection` when
 * the transfer breaks off, `timeout` when it takes too long, `unreadable` when there is more than a file. A fault of n8n's storage
 * stays as it is.
 */
export async function storeFile(
  context: IExecuteFunctions,
  { stream, totalBytes, disposition, explain }: OpenedFile,
  { doing, meetingId, format, maxBytes = MAX_FILE_BYTES }: FileFacts,
): Promise<StoredFile> {
  const filename = chooseFilename({ disposition, meetingId, format });
  const mimeType = mimeTypes[format];
  const limited = limitFile(stream, { doing, maxBytes, totalBytes });
  try {
    const file = await checkHead(limited.stream, format, doing);
    const binary = await context.helpers.prepareBinaryData(file, filename, mimeType);
    const bytes = (await measureBinary(context, binary)) ?? totalBytes ?? 0;
    if (totalBytes !== undefined && bytes < totalBytes) {
      const detail = `the file broke off after ${bytes} of ${totalBytes} bytes`;
      throw new ServiceError({ code: 'connection', doing, detail });
    }
    return { binary, filename, mimeType, bytes };
  } catch (error) {
    const fault = limited.findFault();
    throw fault !== undefined || isCutShort(error) ? explain(fault ?? error) : error;
  } finally {
    limited.stream.destroy();
    stream.destroy();
  }
}

/** What a stream says that was closed before its end. */
function isCutShort(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
