import { readStandardSigningKey } from '@aftermeet/webhooks';
import { z } from 'zod';

export const secretRule = 'whsec_ and the Base64 of 24 to 64 bytes, or a text of 16 characters or more';

/** A signing key. */
export const secretSchema = z.string({ error: secretRule }).transform((text, context) => {
  const key = readStandardSigningKey(text);
  if (key !== undefined) return key;
  context.addIssue({ code: 'custom', message: secretRule });
  return z.NEVER;
});

const urlRule = 'an address that starts with https://, without a user or a password in it';

/** An address without a login in it. */
export const urlSchema = z.string({ error: urlRule }).transform((text, context) => {
  const read = parseUrlWithoutLogin(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: urlRule });
  return z.NEVER;
});

const headersRule = 'names of headers with their values, none of them one that is set here';

/** Visible ASCII with single spaces and tabs within: nothing that could end the line (RFC 9110, 5.5). */
const headerValue = /^[!-~](?:[\t -~]{0,4000}[!-~])?$/;

/** Headers that an installation may set. */
export const headersSchema = z
  // First: if name and value are swapped, the error would otherwise show the value as the name of a setting.
  .unknown()
  .refine(hasHeaderNames, { error: headersRule })
  .pipe(z.record(z.string(), z.string().regex(headerValue, { error: headersRule }), { error: headersRule }))
  .refine((named) => findReservedHeader(named) === undefined, { error: headersRule });

function hasHeaderNames(value: unknown): boolean {
  return (
    typeof value !== 'object' || value === null || Object.keys(value).every((name) => headerName.test(name))
  );
}

function parseUrlWithoutLogin(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  return address.username === '' && address.password === '' ? address : undefined;
}

/** A token of RFC 9110, 5.6.2. */
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Headers that decide how the request is parsed, where it goes or who signed it. */
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
function findReservedHeader(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(headers).find((name) => {
    const lower = name.toLowerCase();
    return reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
  });
}
