/** A token of RFC 9110, 5.6.2. */
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible ASCII with single spaces and tabs within: nothing that could end the line (RFC 9110, 5.5). */
export const headerValue = /^[!-~](?:[\t -~]{0,4000}[!-~])?$/;

/** What says how the request is read, where it goes or who has signed it. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const reservedPrefixes = ['webhook-', 'proxy-'];

/** The first header that a recipe may not set; undefined when there is none. */
export function findReservedHeader(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(headers).find((name) => {
    const lower = name.toLowerCase();
    return reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
  });
}
