import { readStandardSigningKey } from '@aftermeet/webhooks';
import { z } from 'zod';

import { HttpAddress } from '../destinations/http/send-http-post.ts';
import { meetingParts, writeMeetingBody } from '../destinations/http/write-meeting-body.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';

const secretRule = 'whsec_ and the Base64 of 24 to 64 bytes, or a text of 16 characters or more';

const secret = z.string({ error: secretRule }).transform((text, context) => {
  const key = readStandardSigningKey(text);
  if (key !== undefined) return key;
  context.addIssue({ code: 'custom', message: secretRule });
  return z.NEVER;
});

const urlRule = 'an address that starts with https://, without a user or a password in it';

const url = z.string({ error: urlRule }).transform((text, context) => {
  const read = parseUrlWithoutLogin(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: urlRule });
  return z.NEVER;
});

const headersRule = 'names of headers with their values, none of them one that is set here';

/** Visible ASCII with single spaces and tabs within: nothing that could end the line (RFC 9110, 5.5). */
const headerValue = /^[!-~](?:[\t -~]{0,4000}[!-~])?$/;

const headersOption = z
  // First: if name and value are swapped, the error would otherwise show the value as the name of a setting.
  .unknown()
  .refine(hasHeaderNames, { error: headersRule })
  .pipe(z.record(z.string(), z.string().regex(headerValue, { error: headersRule }), { error: headersRule }))
  .refine((named) => findReservedHeader(named) === undefined, { error: headersRule });

const options = z
  .strictObject({
    url: url.describe(
      'Where to post: an https address. It may contain a token; only its host is ever shown.',
    ),
    secret: z
      .union([secret.transform((key) => [key]), z.array(secret).min(1).max(5)], {
        error: `${secretRule}, or a list of up to five while one replaces another`,
      })
      .describe(
        'Signs each request: whsec_ with Base64, as the Standard Webhooks libraries expect, or any text of at least 16 ' +
          'characters. A list signs with each: name the old and the new secret during a rotation.',
      ),
    include: z
      .array(z.enum(meetingParts), { error: `a list of ${meetingParts.join(', ')}` })
      .default(['summary', 'decisions', 'tasks', 'sections'])
      .describe(`Parts of the report to send: ${meetingParts.join(', ')}. Default: all but the transcript.`),
    emails: z
      .boolean({ error: 'true or false' })
      .default(false)
      .describe('Whether e-mail addresses of participants and owners are sent. Default: false, names only.'),
    headers: headersOption.default({}).describe('Further headers of each request, such as Authorization.'),
    expect: z
      .string({ error: 'text that is not empty' })
      .min(1, { error: 'text that is not empty' })
      .optional()
      .describe(
        'Text that every answer of the receiver contains. A 2xx or 404 without it, from a proxy or a program that is still ' +
          'starting, is retried later. For the Aftermeet trigger in n8n: "status":',
      ),
    allow: z
      .literal('private', { error: 'private' })
      .optional()
      .describe(
        'private: allows addresses of this machine and of private networks, and http:// there. Default: both are refused.',
      ),
  })
  .refine((values) => values.allow === 'private' || values.url.protocol === 'https:', {
    path: ['url'],
    error: 'an address that starts with https://; http:// is taken with allow: private alone',
  });

export const httpForward = definePrebuiltRecipe({
  id: 'http-forward',
  description: 'Posts the report of a finished meeting, signed, to an address of yours.',
  destination: 'http',
  events: ['meeting.completed'],
  transcript: 'present',
  options,
  plan: (_event, values) => [{ target: makeAddress(values).label, part: 0 }],
  present: (values) => {
    const to = makeAddress(values);
    const parts = new Set(values.include);
    return {
      from: 'report',
      needsTranscript: parts.has('transcript'),
      render: (digest) => {
        const body = writeMeetingBody(digest, { parts, hasEmails: values.emails });
        return { destination: 'http', message: { body, to } };
      },
    };
  },
});

function makeAddress(values: z.output<typeof options>): HttpAddress {
  const { url: address, secret: keys, headers, allow, expect: expected } = values;
  return new HttpAddress({
    url: address,
    keys,
    headers,
    isPrivateAllowed: allow === 'private',
    ...(expected === undefined ? {} : { expected }),
  });
}

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
