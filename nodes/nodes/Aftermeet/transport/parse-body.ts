/** JSON where it is JSON whatever the type says, else its text, else undefined. Pure. */
export function parseBody(body: unknown, contentType: string | null): unknown {
  const text =
    body instanceof Uint8Array ? new TextDecoder().decode(body) : typeof body === 'string' ? body : '';
  if (text.trim() === '') return undefined;
  if (!/json/i.test(contentType ?? '') && !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
