import { createHash } from 'node:crypto';

import { describeFault, isFields, type ServiceError } from '@aftermeet/client/pure';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { measureBinary } from '../../transport/measure-binary.ts';
import { readParameter } from '../read-fields.ts';
import { refuseUpload, reportStorage } from './upload-fault.ts';

/** How much n8n reads at once: more costs memory, less costs time. */
const READ_BYTES = 1024 ** 2;
/** Of a name in an error. */
const MAX_NAME_LENGTH = 100;

/** A recording as n8n holds it. */
export interface Recording {
  /** In bytes, as n8n says. */
  readonly size: number;
  /** Undefined where n8n knows none. */
  readonly filename: string | undefined;
  /** The same for the same stored file, and for no other: it names the recording when the upload is tried again. */
  readonly identity: string;
  /** Its bytes from the beginning. To be closed, whatever happens. */
  readonly open: () => Promise<OpenedRecording>;
}

export interface OpenedRecording {
  readonly pieces: AsyncIterable<unknown>;
  readonly close: () => void;
}

/**
 * The binary file of an item, in whichever mode n8n stores files: read as a stream where it is stored, taken as it is where it
 * stands in memory. Throws `ServiceError` where there is none, and where nobody knows its size, which every chunk has to name.
 */
export async function findRecording(
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
  const found = attempt(() => helpers.assertBinaryData(itemIndex, given));
  if (isFields(found) && Object.hasOwn(found, 'data') && typeof found.data === 'string') return found;
  const name = typeof given === 'string' ? ` ${given.slice(0, MAX_NAME_LENGTH)}` : '';
  throw refuseUpload(`the item has no binary file in the input data field${name}`);
}

function attempt<T>(find: () => T): T | undefined {
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

/** Only the system's word for it: its message holds a path. */
export function reportUnreadable(error: unknown): ServiceError {
  return reportStorage(`n8n cannot read the binary file: ${describeFault(error).word}`);
}
