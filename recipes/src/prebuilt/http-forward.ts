import { z } from 'zod';

import { headersSchema, secretRule, secretSchema, urlSchema } from '../destinations/http/address-schema.ts';
import type { HttpNeed } from '../destinations/http/check.ts';
import { HttpAddress } from '../destinations/http/send-http-post.ts';
import { makeMeetingBody, meetingParts } from '../destinations/http/write-meeting-body.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';

const options = z
  .strictObject({
    url: urlSchema.describe(
      'Where to post: an https address. It may contain a token; only its host is ever shown.',
    ),
    secret: z
      .union([secretSchema.transform((key) => [key]), z.array(secretSchema).min(1).max(5)], {
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
    headers: headersSchema.default({}).describe('Further headers of each request, such as Authorization.'),
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
  needs: ({ url, allow }) => ({ url: url.href, isPrivateAllowed: allow === 'private' }) satisfies HttpNeed,
  present: (values) => {
    const to = makeAddress(values);
    const parts = new Set(values.include);
    return {
      from: 'report',
      needsTranscript: parts.has('transcript'),
      render: (digest) => {
        const body = JSON.stringify(makeMeetingBody(digest, { parts, hasEmails: values.emails }));
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
