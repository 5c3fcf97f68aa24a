import { signedHeaders } from './event-text.ts';

/** Sends a signed delivery; `changes` replace its headers, or drop those that are undefined. */
export async function postDelivery(
  address: string,
  body: string | Uint8Array,
  changes: Record<string, string | undefined> = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...signedHeaders(body), ...changes })) {
    if (value !== undefined) headers.set(name, value);
  }
  // Not a string: fetch would give that a content type of its own.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const response = await fetch(address, { method: 'POST', body: bytes, headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
