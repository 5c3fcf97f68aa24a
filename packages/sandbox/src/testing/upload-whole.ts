import { randomUUID } from 'node:crypto';

import { makeChunkBody, multipartType } from './multipart.ts';

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
