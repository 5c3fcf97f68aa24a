import { randomUUID } from 'node:crypto';

/** One part of a form: a field, or the file when it has bytes. */
interface TestPart {
  readonly name: string;
  readonly value?: string;
  readonly bytes?: Uint8Array;
  readonly filename?: string;
}

const boundary = 'a-boundary-of-tests';

export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** A multipart body with its parts in exactly this order. */
export function makeMultipart(parts: readonly TestPart[]): Buffer {
  const pieces = parts.flatMap(({ name, value, bytes, filename = 'blob' }) => {
    const file =
      bytes === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      bytes ?? Buffer.from(value ?? ''),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

export interface TestChunk {
  readonly number: number;
  readonly total: number;
  readonly bytes: Uint8Array;
  readonly size: number;
  /** Replaces fields, or takes them away where undefined. */
  readonly fields?: Readonly<Record<string, string | undefined>>;
  /** Default: the file last. */
  readonly fileFirst?: boolean;
}

export const uploadId = '11111111-1111-4111-8111-111111111111';

export const sessionId = '22222222-2222-4222-8222-222222222222';

/** The body of one chunk request, as the specification has it. */
export function makeChunkBody(chunk: TestChunk): Buffer {
  const fields: Record<string, string | undefined> = {
    id: uploadId,
    chunk_total: String(chunk.total),
    chunk_number: String(chunk.number),
    filename: 'call.mp3',
    upload_session_id: sessionId,
    expected_file_size: String(chunk.size),
    ...chunk.fields,
  };
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const file = { name: 'file', bytes: chunk.bytes, filename: 'call.mp3' };
  return makeMultipart(chunk.fileFirst === true ? [file, ...parts] : [...parts, file]);
}

interface UploadAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Uploads a small file in one chunk and, unless told otherwise, completes it; the answer to the last request. */
export async function uploadWhole(
  url: string,
  content: string,
  { isFinished = true }: { readonly isFinished?: boolean } = {},
): Promise<UploadAnswer> {
  const bytes = Buffer.from(content);
  const fields = { id: randomUUID(), upload_session_id: randomUUID() };
  const send = async (number: number, chunk: Uint8Array): Promise<UploadAnswer> => {
    const response = await fetch(`${url}/api/video`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': multipartType },
      body: makeChunkBody({ number, total: 2, bytes: chunk, size: bytes.length, fields }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const first = await send(0, bytes);
  return isFinished ? send(1, new Uint8Array()) : first;
}
