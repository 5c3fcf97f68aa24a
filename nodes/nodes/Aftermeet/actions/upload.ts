import { createHash, randomUUID } from 'node:crypto';

import {
  checkSize,
  type Connection,
  createChunkBuffer,
  createFetchTransport,
  isFields,
  measureForm,
  NO_STATE,
  openStream,
  planUpload,
  readSystemFault,
  runAttempt,
  ServiceError,
} from '@aftermeet/client/pure';
import { limits, operations } from '@aftermeet/contract';
import {
  type IBinaryData,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  sleep,
} from 'n8n-workflow';

import { findRequestLimits, openConnection } from '../transport/connect.ts';
import { findCancelSignal } from '../transport/n8n-fetch.ts';
import { measureBinary } from '../transport/streams.ts';
import { readInput, readParameter, readTime, templateLocator } from './fields.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';
import { signedField, signWebhook, webhookUrlParameter } from './sign-webhook.ts';

/** The parameters of an upload. */
const uploadProperties: readonly INodeProperties[] = [
  {
    displayName: 'Input Data Field Name',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    required: true,
    hint: 'The name of the input field that holds the audio or video file',
    description:
      'The file is sent in chunks of 20 MiB and never stands in memory as a whole, unless n8n is set to keep files in memory',
  },
  templateLocator,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'File Name',
        name: 'fileName',
        type: 'string',
        default: '',
        placeholder: 'e.g. weekly.mp4',
        description: 'In place of the name that the file has in n8n',
      },
      {
        displayName: 'Local Time',
        name: 'localTime',
        type: 'dateTime',
        default: '',
        description:
          "When the meeting took place; without a UTC offset it is a time in the workflow's time zone",
      },
      {
        displayName: 'Number of Speakers',
        name: 'speakersNumber',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 2,
        description: 'How many people speak, where that is known',
      },
      {
        displayName: 'Title',
        name: 'title',
        type: 'string',
        default: '',
        description: 'The title of the meeting; without it the service takes the file name',
      },
      webhookUrlParameter,
    ],
  },
];

const uploadFileDescription: OperationDescription = {
  value: 'upload',
  name: 'Upload',
  action: 'Upload recording',
  description: 'Upload an audio or video file of up to 3 GB and make a meeting of it',
  sends: 'uploads.chunk',
  parameters: {
    filename: 'options.fileName',
    templateName: 'templateName',
    title: 'options.title',
    webhookUrl: 'options.webhookUrl',
    localTime: 'options.localTime',
    speakersNumber: 'options.speakersNumber',
  },
  filled: {
    ...signedField,
    id: 'the stored file, the node and the workflow',
    chunkTotal: 'the size of the file',
    chunkNumber: 'counted from 0',
    uploadSessionId: 'random for every attempt',
    filename: 'the name of the file, where none is given',
    expectedFileSize: 'the size of the file',
    expectedSha256: 'the content, in the final request',
    file: 'binaryPropertyName',
  },
  properties: uploadProperties,
};

/** Of a name in an error. */
const MAX_NAME_LENGTH = 100;

const DEFAULT_NAME = 'recording';

export const uploadResource: NodeResource = {
  value: 'upload',
  name: 'Upload',
  usual: 'upload',
  operations: [{ description: uploadFileDescription, execute: executeUploadFile }],
};

type UploadJob = Parameters<typeof runAttempt>[0];

const uploading = operations.uploads.chunk;

async function executeUploadFile(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const recording = await findRecording(context, itemIndex, 'binaryPropertyName');
  const given = readInput(context, itemIndex, uploadFileDescription, uploading);
  const { localTime, filename, ...rest } = await signWebhook(context, given, uploading);
  const details =
    localTime === undefined
      ? rest
      : { ...rest, localTime: readTime(localTime, context.getTimezone(), uploading, 'localTime') };
  const id = nameRecording(context, recording);
  const connection = await openConnection(context, { timeoutMs: CHUNK_TIMEOUT_MS, totalMs: TOTAL_MS });
  // What is no text is refused by the rule.
  const named = { ...recording, filename: nameFile(filename ?? recording.filename) as string };
  const job = prepareJob(context, connection, named, { id, details });
  const opened = await recording.open();
  const attempt = {
    id,
    sessionId: job.sessionId,
    accepted: new Map<number, string>(),
    final: 'unsent',
  } as const;
  const run = runAttempt({ ...job, file: openFile(named, opened) }, attempt, undefined);
  const { meeting, duplicate, sha256, sent } = await run.finally(() => opened.close());
  const { meetingId, userId } = meeting;
  return [
    {
      json: {
        meeting_id: meetingId,
        ...(userId === undefined ? {} : { user_id: userId }),
        duplicate,
        sha256,
        bytes: recording.size,
        chunks: sent,
      },
    },
  ];
}

/** 20 MiB in a quarter of an hour are 190 kbit/s: n8n does not show whether a slow request still moves. */
const CHUNK_TIMEOUT_MS = 15 * 60_000;
/** Of the request that completes the upload: the service puts the chunks together. */
const FINAL_TIMEOUT_MS = 90_000;
/** Of one chunk with its repetitions: twice as long as one may take. */
const TOTAL_MS = 30 * 60_000;

interface JobFacts {
  readonly id: string;
  readonly details: UploadJob['details'];
}

/** All that an upload needs but the file itself, which is opened when nothing can be refused any more. */
function prepareJob(
  context: IExecuteFunctions,
  connection: Connection,
  { size, filename }: Recording & { readonly filename: string },
  { id, details }: JobFacts,
): Omit<UploadJob, 'file'> & { readonly sessionId: string } {
  checkSize(size);
  const plan = planUpload(size, limits.uploadChunkBytes);
  const sessionId = randomUUID();
  const boundary = `aftermeet-${randomUUID()}`;
  const { chunkTotal } = plan;
  const room = measureForm({ id, sessionId, filename, size, chunkTotal, details }, boundary);
  const limitMs = (bytes: number): number =>
    findRequestLimits(context).timeoutMs ??
    Math.ceil(FINAL_TIMEOUT_MS + (bytes / limits.uploadChunkBytes) * (CHUNK_TIMEOUT_MS - FINAL_TIMEOUT_MS));
  return {
    connection,
    transport: { ...createFetchTransport(connection, limitMs), close: () => {} },
    details,
    fillDetails: () => details,
    plan,
    buffers: [createChunkBuffer(Math.min(size, limits.uploadChunkBytes), room.head, room.tail)],
    boundary,
    state: NO_STATE,
    force: false,
    signal: findCancelSignal(context),
    report: () => {},
    giveWay: () => sleep(0),
    sessionId,
  };
}

/** A stored file that is not what n8n says is a fault of this machine: chunks may have been sent, and no meeting was made. */
function openFile(
  { size, filename }: Recording & { readonly filename: string },
  { pieces }: OpenedRecording,
): UploadJob['file'] {
  const file = openStream(pieces, filename, size);
  return {
    ...file,
    fill: (into, offset, signal) => file.fill(into, offset, signal).catch(blameStorage),
    verify: (signal) => file.verify(signal).catch(blameStorage),
  };
}

function blameStorage(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'bad_request') throw error;
  const said = (error.detail ?? '').replace('the stream', 'the binary file');
  throw error.with({ code: 'file_system', detail: `${said}: the upload was not completed` });
}

/** A recording as n8n holds it. */
interface Recording {
  /** In bytes, as n8n says. */
  readonly size: number;
  /** Undefined where n8n knows none. */
  readonly filename: string | undefined;
  /** The same for the same stored file, and for no other: it names the recording when the upload is tried again. */
  readonly identity: string;
  /** Its bytes from the beginning. To be closed, whatever happens. */
  readonly open: () => Promise<OpenedRecording>;
}

interface OpenedRecording {
  readonly pieces: AsyncIterable<unknown>;
  readonly close: () => void;
}

/**
 * The id of a recording stays the same when its upload is tried again (service-observed.md). n8n tries again in the same execution
 * (Retry On Fail) or in a new one (Retry), and both hand the node the file that is stored already: so the id is made of that
 * file's own. A file in memory has none, and is known by its content. Workflow and node are part of it, so that another node that
 * uploads the same file does not replace the session of this one.
 */
function nameRecording(context: IExecuteFunctions, { identity }: Recording): string {
  return nameUuid([context.getWorkflow().id ?? '', context.getNode().id, identity]);
}

/** How much n8n reads at once: more costs memory, less costs time. */
const READ_BYTES = 1024 ** 2;

/**
 * The binary file of an item, in whichever mode n8n stores files: read as a stream where it is stored, taken as it is where it
 * stands in memory. Throws `ServiceError` where there is none, and where its size is unknown, which every chunk has to name.
 */
async function findRecording(
  context: IExecuteFunctions,
  itemIndex: number,
  parameter: string,
): Promise<Recording> {
  const given = readParameter(context, itemIndex, parameter);
  if (!isBinaryName(given)) throw refuseUpload('the input data field must be the name of a binary file');
  const binary = findBinary(context, itemIndex, given);
  const { id, fileName: filename } = binary;
  if (id === undefined) {
    const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, given);
    const identity = createHash('sha256').update(bytes).digest('hex');
    return { size: bytes.length, filename, identity, open: async () => openBytes(bytes) };
  }
  const size = await measureBinary(context, binary);
  if (size === undefined) {
    throw refuseUpload(
      'n8n does not know the size of the binary file, which the service asks for: store it anew with this version of n8n',
    );
  }
  return { size, filename, identity: id, open: () => openStored(context, id) };
}

/** The name of a binary property, or what an expression made of it. What it is, n8n itself checks. */
function isBinaryName(given: unknown): given is string | IBinaryData {
  return (typeof given === 'string' && given !== '') || (typeof given === 'object' && given !== null);
}

/** n8n looks for names such as `__proto__` and `constructor` as for any other, and finds what every object has. */
function findBinary(
  { helpers }: IExecuteFunctions,
  itemIndex: number,
  given: string | IBinaryData,
): IBinaryData {
  const found = tryFind(() => helpers.assertBinaryData(itemIndex, given));
  if (isFields(found) && Object.hasOwn(found, 'data') && typeof found.data === 'string') return found;
  const name = typeof given === 'string' ? ` ${given.slice(0, MAX_NAME_LENGTH)}` : '';
  throw refuseUpload(`the item has no binary file in the input data field${name}`);
}

function tryFind<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function openBytes(bytes: Uint8Array): OpenedRecording {
  async function* give(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return { pieces: give(), close: () => {} };
}

async function openStored({ helpers }: IExecuteFunctions, id: string): Promise<OpenedRecording> {
  try {
    const stream = await helpers.getBinaryStream(id, READ_BYTES);
    return { pieces: stream, close: () => void stream.destroy() };
  } catch (error) {
    throw reportUnreadable(error);
  }
}

/**
 * The name under which a file is sent: of a path, in whichever system's spelling, its last part, as in the client. What is no
 * text stays, for the rule to refuse. Pure.
 */
export function nameFile(given: unknown = DEFAULT_NAME): unknown {
  if (typeof given !== 'string') return given;
  const last = given.split(/[/\\]/).at(-1) ?? '';
  return /^\s*\.{0,2}\s*$/.test(last) ? DEFAULT_NAME : last;
}

/** Of our own: what stands before the name (RFC 9562, 5.5). */
const namespace = Buffer.from('6f1d0c1e5f5b4c0e9a3b7c52d8a4e671', 'hex');

/** A UUID that is the same for the same parts: version 5, which services take that check the version (RFC 9562, 5.5). Pure. */
export function nameUuid(parts: readonly string[]): string {
  const digest = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A parameter or a file that breaks a rule; nothing was sent. */
function refuseUpload(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', operation: uploading, detail, unsent: true });
}

/** Only the system's word for it: its message holds a path. */
function reportUnreadable(error: unknown): ServiceError {
  const detail = `n8n cannot read the binary file: ${readSystemFault(error).systemCode}`;
  return new ServiceError({ code: 'file_system', operation: uploading, detail });
}
