import { createHash, createHmac } from 'node:crypto';

// Nothing here is taken from the packages under test: what they must agree with is written down a second time.

export const SECRET = 'whsec_0123456789abcdef';
export const NOW_SECONDS = '1783425600';
export const NOW_MS = 1_783_425_600_000;

/** A request before it is bytes: each header is a line of its own, in this order. */
export interface DeliveryText {
  readonly requestLine: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

let meetings = 0;

/** A body that no other has, so that everything stored can be told apart. */
export function freshBody(fields: Readonly<Record<string, unknown>> = {}): Buffer {
  meetings += 1;
  const envelope = {
    event: 'meeting.completed',
    meeting_id: `m_${meetings}`,
    timestamp: '2026-07-07T12:00:00Z',
  };
  return Buffer.from(JSON.stringify({ ...envelope, ...fields }));
}

export function sign(body: Uint8Array, timestamp = NOW_SECONDS, secret = SECRET): string {
  // latin1: header values are bytes, and what stands in them is what is signed.
  const prefix = Buffer.from(`${timestamp}.`, 'latin1');
  return `sha256=${createHmac('sha256', secret).update(prefix).update(body).digest('hex')}`;
}

/** A genuine delivery; of the given body, if there is one. */
export function genuine(body: Buffer = freshBody(), target = '/hooks/default'): DeliveryText {
  return {
    requestLine: `POST ${target} HTTP/1.1`,
    headers: [
      ['Host', '127.0.0.1'],
      ['Content-Type', 'application/json'],
      ['X-Service-Event', 'meeting.completed'],
      ['X-Service-Signature', sign(body)],
      ['X-Service-Timestamp', NOW_SECONDS],
      ['X-Service-Delivery', 'd-1'],
      ['Content-Length', String(body.length)],
    ],
    body,
  };
}

/** Replaces a header where it stands, adds it where there is none, drops it when the value is undefined. */
export function change(
  text: DeliveryText,
  changes: Readonly<Record<string, string | undefined>>,
): DeliveryText {
  let { headers } = text;
  for (const [name, value] of Object.entries(changes)) {
    const isSame = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
    const others = headers.filter(([other]) => !isSame(other));
    const index = headers.findIndex(([other]) => isSame(other));
    if (value === undefined) headers = others;
    else headers = others.toSpliced(index === -1 ? others.length : index, 0, [name, value]);
  }
  return { ...text, headers };
}

/** Adds lines, whatever stands there already. */
export function add(text: DeliveryText, ...lines: readonly (readonly [string, string])[]): DeliveryText {
  return { ...text, headers: [...text.headers, ...lines] };
}

/** The bytes of the request; with `body` those instead of its own. */
export function toBytes(
  { requestLine, headers, body }: DeliveryText,
  instead: Buffer | string = body,
): Buffer {
  const head = [requestLine, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(instead)]);
}

/** The same request with its body in chunks of the given sizes, the last one taking what is left. */
export function toChunkedBytes(text: DeliveryText, ...sizes: readonly number[]): Buffer {
  const chunked = add(change(text, { 'content-length': undefined }), ['Transfer-Encoding', 'chunked']);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, text.body.length]) {
    const piece = text.body.subarray(at, at + size);
    at += piece.length;
    if (piece.length > 0)
      pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return toBytes(chunked, Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]));
}

/** What a stored delivery must be called: address (endpoint, or endpoint/key) and body, each with its length before it. */
export function jobIdOf(body: Uint8Array, address = 'default'): string {
  const digest = createHash('sha256');
  for (const part of [Buffer.from('event'), Buffer.from(address), body]) {
    digest.update(`${part.length}:`).update(part);
  }
  return digest.digest('hex');
}
