import { readStandardSigningKey } from '@aftermeet/webhooks';
import { z } from 'zod';

import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import { HttpAddress } from '../../http/http-address.ts';
import { meetingParts, writeMeetingBody } from '../../http/write-meeting-body.ts';
import { findReservedHeader, headerName, headerValue } from './reserved-headers.ts';

const secretRule = 'whsec_ and the Base64 of 24 to 64 bytes, or a text of 16 characters or more';
const secret = z.string({ error: secretRule }).transform((text, context) => {
  const key = readStandardSigningKey(text);
  if (key !== undefined) return key;
  context.addIssue({ code: 'custom', message: secretRule });
  return z.NEVER;
});

const urlRule = 'an address that starts with https://, without a user or a password in it';
const url = z.string({ error: urlRule }).transform((text, context) => {
  const read = readPlainAddress(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: urlRule });
  return z.NEVER;
});

const headersRule = 'names of headers with their values, none of them one that is set here';

const headersOption = z
  // First of all and of the whole: whoever mixed up name and value would read the value in the setting's name.
  .unknown()
  .refine(hasHeaderNames, { error: headersRule })
  .pipe(z.record(z.string(), z.string().regex(headerValue, { error: headersRule }), { error: headersRule }))
  .refine((named) => findReservedHeader(named) === undefined, { error: headersRule });

const options = z
  .strictObject({
    url: url.describe('Where to post: an https address. It may hold a token; only its host is ever shown.'),
    secret: z
      .union([secret.transform((key) => [key]), z.array(secret).min(1).max(5)], {
        error: `${secretRule}, or a list of up to five while one replaces another`,
      })
      .describe(
        'What signs each request: whsec_ with Base64, as the Standard Webhooks libraries want it, or any text of 16 ' +
          'characters or more. A list signs with each: name the old one and the new one while you change it.',
      ),
    include: z
      .array(z.enum(meetingParts), { error: `a list of ${meetingParts.join(', ')}` })
      .default(['summary', 'decisions', 'tasks', 'sections'])
      .describe(
        `Which parts of the report to send: ${meetingParts.join(', ')}. Without it, all but the transcript.`,
      ),
    emails: z
      .boolean({ error: 'true or false' })
      .default(false)
      .describe(
        'Whether the e-mail addresses of participants and owners go along. Default false: names alone.',
      ),
    headers: headersOption.default({}).describe('Further headers of each request, such as Authorization.'),
    expect: z
      .string({ error: 'text that is not empty' })
      .min(1, { error: 'text that is not empty' })
      .optional()
      .describe(
        'A text that every answer of the receiver itself holds. An answer of 200 to 299 or 404 without it, from a proxy or from ' +
          'a program that is still starting, then means "later". For the Aftermeet trigger in n8n: "status":',
      ),
    allow: z
      .literal('private', { error: 'private' })
      .optional()
      .describe(
        'private: the address may lead to this machine or into a private network, and start with http:// there. ' +
          'Without it both are refused.',
      ),
  })
  .refine((values) => values.allow === 'private' || values.url.protocol === 'https:', {
    path: ['url'],
    error: 'an address that starts with https://; http:// is taken with allow: private alone',
  });

export const httpForward = definePrebuiltRecipe({
  id: 'http-forward',
  description: 'Sends what a finished meeting has come to, signed, to an address of your own.',
  destination: 'http',
  events: ['meeting.completed'],
  transcript: 'present',
  options,
  plan: (_event, values) => [{ target: locate(values).label, part: 0 }],
  present: (values) => {
    const to = locate(values);
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

function locate(values: z.output<typeof options>): HttpAddress {
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

function readPlainAddress(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  return address.username === '' && address.password === '' ? address : undefined;
}
