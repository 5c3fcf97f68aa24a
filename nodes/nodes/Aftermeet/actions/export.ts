import {
  chooseFilename,
  isWholeFile,
  judgeHead,
  openFile,
  prepareExport,
  readLength,
  ServiceError,
  withRetries,
} from '@aftermeet/client/pure';
import { operations } from '@aftermeet/contract';
import type { IBinaryData, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { connect, findRequestLimits } from '../transport/connect.ts';
import { endWith, findStream } from '../transport/n8n-fetch.ts';
import { type FileStream, measureBinary } from '../transport/streams.ts';
import { meetingLocator, readInput, readParameter, templateLocator } from './fields.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';

/** The parameters of a download. */
const downloadProperties: readonly INodeProperties[] = [
  meetingLocator,
  {
    displayName: 'Format',
    name: 'format',
    type: 'options',
    default: 'pdf',
    options: [
      { name: 'Markdown', value: 'md' },
      { name: 'PDF', value: 'pdf' },
      { name: 'Word (DOCX)', value: 'docx' },
    ],
  },
  templateLocator,
  {
    displayName: 'Put Output File in Field',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    required: true,
    hint: 'The name of the output field to put the file in',
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Include Report',
        name: 'includeReport',
        type: 'boolean',
        default: true,
        description: 'Whether the report is part of the file; left out, the service decides',
      },
      {
        displayName: 'Include Tasks',
        name: 'includeTasks',
        type: 'boolean',
        default: true,
        description: 'Whether the tasks are part of the file; left out, the service decides',
      },
      {
        displayName: 'Time Zone',
        name: 'timezone',
        type: 'string',
        default: '',
        placeholder: 'e.g. Europe/Berlin',
        description: 'In which times in the file are written: an IANA name; left out, the service decides',
        hint: 'The zone of the workflow is {{ $now.zoneName }} as an expression',
      },
    ],
  },
];

const downloadDescription: OperationDescription = {
  value: 'download',
  name: 'Download',
  action: 'Download report as file',
  description: 'Download the report of a meeting as PDF, DOCX or Markdown',
  sends: 'exports.download',
  parameters: {
    meetingId: 'meetingId',
    format: 'format',
    includeReport: 'options.includeReport',
    includeTasks: 'options.includeTasks',
    templateName: 'templateName',
    timezone: 'options.timezone',
  },
  properties: downloadProperties,
};

const exporting = operations.exports.download;

/** `export` itself is a word of the language. */
export const exportResource: NodeResource = {
  value: 'export',
  name: 'Export',
  usual: 'download',
  operations: [{ description: downloadDescription, execute: executeDownload }],
};

/** Of the whole transfer: n8n does not show whether a slow one still moves. A file of some MiB comes over any link in this time. */
const LIMIT_MS = 10 * 60_000;

async function executeDownload(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const property = readProperty(context, itemIndex);
  const input = readInput(context, itemIndex, downloadDescription, exporting);
  const limitMs = Math.min(LIMIT_MS, findRequestLimits(context).totalMs ?? LIMIT_MS);
  const { binary, filename, mimeType, bytes } = await downloadFile(context, input, { limitMs });
  const { meetingId, format } = input;
  const json = { meeting_id: meetingId, format, file_name: filename, bytes, mime_type: mimeType };
  return [{ json, binary: { [property]: binary } }];
}

interface DownloadLimits {
  /** Of the whole transfer. */
  readonly limitMs: number;
  /** Default 1 GiB. */
  readonly maxBytes?: number;
}

/** A transfer that broke off begins anew: the service is not asked for parts of a file. */
export async function downloadFile(
  context: IExecuteFunctions,
  input: ExportInput,
  { limitMs, maxBytes = MAX_FILE_BYTES }: DownloadLimits,
): Promise<StoredFile> {
  const { connection } = await connect(context);
  const call = prepareExport(connection, input);
  return await withRetries(connection, async (leftMs) => {
    const { response, limit, toError } = await openFile(connection, call, { signal: undefined, leftMs });
    const stream = findStream(response);
    limit.pause();
    if (stream === undefined) {
      limit.stop();
      throw refuseFile('the answer is no stream');
    }
    const whole = AbortSignal.timeout(limitMs);
    endWith(whole, stream);
    const explain = (error: unknown): ServiceError => {
      if (!whole.aborted) return toError(error);
      const detail = `no whole answer in ${limitMs} ms`;
      return new ServiceError({ code: 'timeout', operation: exporting, detail });
    };
    const disposition = response.headers.get('content-disposition');
    const file = { stream, totalBytes: readLength(response.headers), disposition, explain };
    return await storeFile(context, file, { ...input, maxBytes }).finally(() => limit.stop());
  });
}

function readProperty(context: IExecuteFunctions, itemIndex: number): string {
  const property = readParameter(context, itemIndex, 'binaryPropertyName');
  if (typeof property !== 'string' || property === '') {
    throw refuse('the name of the field for the file is missing');
  }
  // Every object has these already, and n8n would take them for files.
  if (property in {}) throw refuse(`the field for the file cannot have the name ${property}`);
  return property;
}

function refuse(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', operation: exporting, detail, unsent: true });
}

type ExportInput = Parameters<typeof prepareExport>[1];
type Format = ExportInput['format'];

/**
 * Reads as much of the stream as it takes to see that a file of this format begins, and puts it back: types and names are not to
 * be trusted. Returns the stream, or the whole file where that was all. Throws `unreadable` for a page, a message or nothing.
 */
async function checkHead(stream: FileStream, format: Format): Promise<FileStream | Buffer> {
  const head = await readHead(stream, format);
  const verdict = judgeHead(format, head);
  if (head.length === 0) throw refuseFile('the file is empty');
  if (verdict === 'wrong' || (verdict === 'more' && !isWholeFile(format))) {
    throw refuseFile(`the answer does not begin as a file of format ${format} does`);
  }
  if (stream.readableEnded) return head;
  stream.unshift(head);
  return stream;
}

/** The first piece, or as many of the first as it takes to tell. */
async function readHead(stream: FileStream, format: Format): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const piece of stream.iterator({ destroyOnReturn: false })) {
    if (!(piece instanceof Uint8Array)) throw new TypeError('the answer is not made of bytes');
    head = Buffer.concat([head, piece]);
    if (judgeHead(format, head) !== 'more') break;
  }
  return head;
}

function refuseFile(detail: string): ServiceError {
  return new ServiceError({ code: 'unreadable', operation: exporting, status: 200, detail });
}

interface FileLimits {
  readonly maxBytes: number;
  /** As the service says it; undefined where it does not. */
  readonly totalBytes: number | undefined;
}

interface LimitedFile {
  /** The same bytes; fails with the first one that is too many. */
  readonly stream: FileStream;
  /** What went wrong on the way from the service; undefined for a fault of the reader. */
  readonly findFault: () => unknown;
}

/**
 * Counts what comes, after it was unpacked: n8n has no limit of its own, and a body that never ends, or a small one that unpacks
 * into a large one, would fill its disk or its memory. Too much is `unreadable`, and ends the reading of the source.
 */
function limitFile(source: FileStream, { maxBytes, totalBytes = 0 }: FileLimits): LimitedFile {
  let size = 0;
  let fault: unknown;
  const stream = source.map((piece: unknown) => {
    if (!(piece instanceof Uint8Array)) throw new TypeError('the answer is not made of bytes');
    size += piece.length;
    if (Math.max(size, totalBytes) <= maxBytes) return piece;
    const detail = `the file has more than the ${maxBytes} bytes that an export may have`;
    fault ??= new ServiceError({ code: 'unreadable', operation: exporting, status: 200, detail });
    throw fault;
  });
  source.on('error', (error: unknown) => {
    fault ??= error;
  });
  // The reader of the stream gets the error; without a reader it must not crash n8n.
  stream.on('error', () => {});
  return { stream, findFault: () => fault ?? source.errored ?? undefined };
}

const mimeTypes: Readonly<Record<Format, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown',
};

/** A document has some MiB; this is the most that n8n itself takes into its database, and far from filling a disk. */
const MAX_FILE_BYTES = 1024 ** 3;

/** A file whose first bytes are still to come. */
interface OpenedFile {
  readonly stream: FileStream;
  /** Where the service says it and nothing was compressed on the way. */
  readonly totalBytes: number | undefined;
  /** The header as it came. */
  readonly disposition: string | null;
  /** What a fault of the stream means. */
  readonly explain: (error: unknown) => ServiceError;
}

interface FileFacts extends Pick<ExportInput, 'meetingId' | 'format'> {
  readonly maxBytes: number;
}

interface StoredFile {
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
async function storeFile(
  context: IExecuteFunctions,
  { stream, totalBytes, disposition, explain }: OpenedFile,
  { meetingId, format, maxBytes }: FileFacts,
): Promise<StoredFile> {
  const filename = chooseFilename({ disposition, meetingId, format });
  const mimeType = mimeTypes[format];
  const limited = limitFile(stream, { maxBytes, totalBytes });
  try {
    const file = await checkHead(limited.stream, format);
    const binary = await context.helpers.prepareBinaryData(file, filename, mimeType);
    const bytes = (await measureBinary(context, binary)) ?? totalBytes ?? 0;
    if (totalBytes !== undefined && bytes < totalBytes) {
      const detail = `the file broke off after ${bytes} of ${totalBytes} bytes`;
      throw new ServiceError({ code: 'connection', operation: exporting, detail });
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
