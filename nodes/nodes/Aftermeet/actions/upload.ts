import { createHash, randomUUID } from 'node:crypto';

import { isFields, listRedactions } from '@aftermeet/client/pure';
import { limits } from '@aftermeet/contract';
import type { IBinaryData, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { findCancelSignal } from '../transport/raw-request.ts';
import { findTimeoutMs, readCredential, repeatAttempt, sendForm } from '../transport/request.ts';
import { measureBinary } from '../transport/streams.ts';
import { toInput } from '../wire/build-wire-request.ts';
import { wireOperations } from '../wire/wire-operations.ts';
import { placeInTime, readFields, readParameter, templateLocator } from './fields.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';
import {
  doingUpload,
  nameUuid,
  refuseUpload,
  reportUnreadable,
  sendRecording,
  type Recording,
  type OpenedRecording,
  type UploadTransport,
} from './send-upload.ts';
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
    template_name: 'templateName',
    title: 'options.title',
    webhook_url: 'options.webhookUrl',
    localTime: 'options.localTime',
    speakers_number: 'options.speakersNumber',
  },
  filled: {
    ...signedField,
    id: 'the stored file, the node and the workflow',
    chunk_total: 'the size of the file',
    chunk_number: 'counted from 0',
    upload_session_id: 'random for every attempt',
    filename: 'the name of the file, where none is given',
    expected_file_size: 'the size of the file',
    expected_sha256: 'the content, in the final request',
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

async function executeUploadFile(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const recording = await findRecording(context, itemIndex, 'binaryPropertyName');
  const given = readFields(context, itemIndex, uploadFileDescription);
  const { localTime, filename, ...details } = await signWebhook(context, given, doingUpload);
  const fields = {
    ...details,
    filename: nameFile(filename ?? recording.filename),
    ...(localTime === undefined ? {} : { localTime: placeInTime(localTime, context.getTimezone()) }),
    id: nameRecording(context, recording),
    upload_session_id: randomUUID(),
  };
  const transport = await openTransport(context, fields);
  const { meeting, duplicate, sha256, sent } = await sendRecording(transport, recording, fields);
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

/**
 * The id of a recording stays the same when its upload is tried again (service-observed.md). n8n tries again in the same execution
 * (Retry On Fail) or in a new one (Retry), and both hand the node the file that is stored already: so the id is made of that
 * file's own. A file in memory has none, and is known by its content. Workflow and node are part of it, so that another node that
 * uploads the same file does not replace the session of this one.
 */
function nameRecording(context: IExecuteFunctions, { identity }: Recording): string {
  return nameUuid([context.getWorkflow().id ?? '', context.getNode().id, identity]);
}

/** Of one chunk with its repetitions: twice as long as one may take. */
const TOTAL_MS = 30 * 60_000;

async function openTransport(
  context: IExecuteFunctions,
  fields: Readonly<Record<string, unknown>>,
): Promise<UploadTransport> {
  const { baseUrl, apiKey } = await readCredential(context);
  const boundary = `aftermeet-${randomUUID()}`;
  const url = baseUrl + wireOperations['uploads.chunk'].path;
  let leftMs = TOTAL_MS;
  return {
    post(body, usualMs) {
      const timeoutMs = findTimeoutMs(context, usualMs, leftMs);
      return sendForm(context, { doing: doingUpload, url, boundary, body, timeoutMs });
    },
    boundary,
    chunkBytes: limits.uploadChunkBytes,
    repeat(attempt) {
      const attemptWithin = (ms: number) => {
        leftMs = ms;
        return attempt();
      };
      return repeatAttempt(context, attemptWithin, { totalMs: TOTAL_MS });
    },
    clock: Date.now,
    signal: findCancelSignal(context),
    redactions: listRedactions(apiKey, toInput(wireOperations['uploads.chunk'], fields)),
  };
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
