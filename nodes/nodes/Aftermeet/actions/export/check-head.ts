import { isWholeFile, judgeHead, ServiceError } from '@aftermeet/client/pure';

import type { FileStream } from '../../transport/file-stream.ts';

/** What a meeting can be exported as (specification, "Export"). */
export const formats = ['pdf', 'docx', 'md'] as const;

export type Format = (typeof formats)[number];

/**
 * Reads as much of the stream as it takes to see that a file of this format begins, and puts it back: types and names are not to
 * be trusted. Returns the stream, or the whole file where that was all. Throws `unreadable` for a page, a message or nothing.
 */
export async function checkHead(
  stream: FileStream,
  format: Format,
  doing: string,
): Promise<FileStream | Buffer> {
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
  return new ServiceError({ code: 'unreadable', doing, status: 200, detail });
}
