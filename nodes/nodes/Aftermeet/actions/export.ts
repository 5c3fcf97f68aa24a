import {
  ServiceError,
  acceptFormat,
  chooseFilename,
  isWholeFile,
  judgeHead,
  listRedactions,
  refuseInput,
} from '@aftermeet/client/pure';
import type { IBinaryData, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { type OpenedFile, openFile } from '../transport/open-file.ts';
import { describeOperation, readCredential, repeatAttempt } from '../transport/request.ts';
import { type FileStream, measureBinary } from '../transport/streams.ts';
import { buildWireRequest, toInput } from '../wire/build-wire-request.ts';
import { wireOperations } from '../wire/wire-operations.ts';
import { meetingLocator, readFields, readParameter, templateLocator } from './fields.ts';
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
    meeting_id: 'meetingId',
    format: 'format',
    include_report: 'options.includeReport',
    include_tasks: 'options.includeTasks',
    template_name: 'templateName',
    timezone: 'options.timezone',
  },
  properties: downloadProperties,
};

const operation = wireOperations['exports.download'];

const downloadName = describeOperation(operation);

/** What a meeting can be exported as (specification, "Export"). */
const formats = ['pdf', 'docx', 'md'] as const;

/** `export` itself is a word of the language. */
export const exportResource: NodeResource = {
  value: 'export',
  name: 'Export',
  usual: 'download',
  operations: [{ description: downloadDescription, execute: executeDownload }],
};

/** A transfer that broke off begins anew: the service is not asked for parts of a file. */
async function executeDownload(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const property = readProperty(context, itemIndex);
  const fields = readFields(context, itemIndex, downloadDescription);
  const request = buildWireRequest(operation, fields);
  const meetingId = String(fields['meeting_id']);
  const format = formats.find((one) => one === fields['format']);
  if (!request.ok) throw refuseInput(downloadName, request.problems);
  if (format === undefined) throw refuse('format is missing');
  const { baseUrl, apiKey } = await readCredential(context);
  const file = {
    doing: downloadName,
    url: baseUrl + request.path,
    accept: acceptFormat(format),
    redactions: listRedactions(apiKey, toInput(operation, fields)),
  };
  const { binary, filename, mimeType, bytes } = await repeatAttempt(context, async (leftMs) =>
    storeFile(context, await openFile(context, { ...file, leftMs }), {
      doing: downloadName,
      meetingId,
      format,
    }),
  );
  const json = { meeting_id: meetingId, format, file_name: filename, bytes, mime_type: mimeType };
  return [{ json, binary: { [property]: binary } }];
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
  return new ServiceError({ code: 'bad_request', operation: downloadName, detail, unsent: true });
}

type Format = (typeof formats)[number];

/**
 * Reads as much of the stream as it takes to see that a file of this format begins, and puts it back: types and names are not to
 * be trusted. Returns the stream, or the whole file where that was all. Throws `unreadable` for a page, a message or nothing.
 */
async function checkHead(stream: FileStream, format: Format, doing: string): Promise<FileStream | Buffer> {
  const head = await readHead(stream, format);
  const verdict = judgeHead(format, head);
  if (head.length === 0) throw refuseFile(doing, 'the file is empty');
  if (verdict === 'wrong' || (verdict === 'more' && !isWholeFile(format))) {
    throw refuseFile(doing, `the answer does not begin as a file of format ${format} does`);
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

function refuseFile(doing: string, detail: string): ServiceError {
  return new ServiceError({ code: 'unreadable', operation: doing, status: 200, detail });
}

interface FileLimits {
  /** What stands in errors. */
  readonly doing: string;
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
function limitFile(source: FileStream, { doing, maxBytes, totalBytes = 0 }: FileLimits): LimitedFile {
  let size = 0;
  let fault: unknown;
  const stream = source.map((piece: unknown) => {
    if (!(piece instanceof Uint8Array)) throw new TypeError('the answer is not made of bytes');
    size += piece.length;
    if (Math.max(size, totalBytes) <= maxBytes) return piece;
    const detail = `the file has more than the ${maxBytes} bytes that an export may have`;
    fault ??= new ServiceError({ code: 'unreadable', operation: doing, status: 200, detail });
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

interface FileFacts {
  /** What stands in errors. */
  readonly doing: string;
  readonly meetingId: string;
  readonly format: Format;
  /** Default 1 GiB. */
  readonly maxBytes?: number;
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
      throw new ServiceError({ code: 'connection', operation: doing, detail });
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
