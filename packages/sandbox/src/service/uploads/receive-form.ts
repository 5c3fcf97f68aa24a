import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';

import { limits } from '@aftermeet/contract';
import { Busboy, type BusboyInstance } from '@fastify/busboy';

import { describeStorageFault, parseForm, type FormFault } from './parse-form.ts';
import type { ClaimedPlace } from './upload-folder.ts';

/** A file part on disk. */
export interface ReceivedFile {
  readonly path: string;
  /** Of a part that is longer than a chunk may be, one byte more than that. */
  readonly bytes: number;
  /** Without it, the file is removed with the form. */
  readonly keep: () => void;
}

export interface ReceivedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: ReceivedFile;
  /** Removes the file, unless somebody keeps it. */
  readonly discard: () => Promise<void>;
}

export type FormReading = { readonly ok: true; readonly form: ReceivedForm } | FormFault;

const notMultipart: FormFault = {
  ok: false,
  cause: 'request',
  message: 'The request must be multipart/form-data with a boundary.',
};

/** Room for every field of the contract, and for a client that sends some more. */
const formLimits = {
  fileSize: limits.uploadChunkBytes,
  fieldSize: 65_536,
  fields: 100,
  files: 1,
  parts: 101,
};

/**
 * Reads a multipart form with one file part, named `file`, which goes to the claimed place as it comes: memory
 * stays flat. Fields may stand before it and after it. Where something is wrong, nothing is left at the place.
 * The request is read to its end in any case, so that its sender hears the answer.
 */
export async function receiveForm(request: IncomingMessage, claim: () => ClaimedPlace): Promise<FormReading> {
  const parser = createParser(request);
  if (parser === undefined) {
    request.resume();
    return notMultipart;
  }
  const place = tryToClaim(claim);
  if ('ok' in place) {
    request.resume();
    return place;
  }
  const { path } = place;
  const parsing = await parseForm(request, parser, place);
  if (!parsing.ok) {
    await rm(path, { force: true });
    return parsing;
  }
  let isKept = false;
  const keep = (): void => {
    isKept = true;
  };
  return {
    ok: true,
    form: {
      fields: parsing.fields,
      file: { path, bytes: parsing.isTruncated ? limits.uploadChunkBytes + 1 : parsing.bytes, keep },
      async discard() {
        if (!isKept) await rm(path, { force: true });
      },
    },
  };
}

function tryToClaim(claim: () => ClaimedPlace): ClaimedPlace | FormFault {
  try {
    return claim();
  } catch (error) {
    return describeStorageFault(error);
  }
}

function createParser(request: IncomingMessage): BusboyInstance | undefined {
  const contentType = request.headers['content-type'] ?? '';
  // The parser would take a urlencoded form as well.
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  try {
    return new Busboy({ headers: { ...request.headers, 'content-type': contentType }, limits: formLimits });
  } catch {
    // There is no boundary; the parser has no other way to say so.
    return undefined;
  }
}
