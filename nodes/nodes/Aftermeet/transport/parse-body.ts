import { parseAnswer } from '@aftermeet/client/pure';

/** A body as the client reads it: JSON where it is JSON whatever the type says, else its text, else undefined. Pure. */
export function parseBody(bytes: Uint8Array, contentType: string | null): unknown {
  const headers = new Headers(contentType === null ? {} : { 'content-type': contentType });
  return parseAnswer(new TextDecoder().decode(bytes), headers);
}
