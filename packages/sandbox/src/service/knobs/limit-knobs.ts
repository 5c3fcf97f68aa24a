import { tagColors } from '@aftermeet/contract';
import { z } from 'zod';

const instant = z.iso.datetime({ offset: true });

/** How much and how long. */
export const limitKnobs = {
  tagColors: z
    .union([z.literal('any'), z.array(z.string().min(1).max(100)).min(1).max(100)])
    .default([...tagColors])
    .meta({
      description: 'The colours that a tag may have; the first one is that of a tag made without a colour.',
      examples: [['#ff0000', '#00ff00']],
    }),
  tagNameMaxLength: z
    .int()
    .min(1)
    .max(10_000)
    .default(24)
    .meta({ description: 'How many characters the name of a tag may have.' }),
  searchPageSize: z
    .int()
    .min(1)
    .max(10_000)
    .default(50)
    .meta({ description: 'The most meetings that a page of a search has, whatever is asked for.' }),
  tagPageSize: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .meta({ description: 'The most tags that a page of the tag list has, whatever is asked for.' }),
  maxBodyBytes: z
    .int()
    .min(100)
    .max(1024 ** 3)
    .default(1024 ** 2)
    .meta({ description: 'How many bytes the JSON body of a request may have; 413 beyond.' }),
  uploadLifetimeHours: z
    .union([z.null(), z.number().positive().max(87_600)])
    .default(24)
    .meta({
      description:
        'How long the chunks of a file are kept that is not completed, in hours of the sandbox since the last chunk; null: for ever.',
    }),
  keyLifetimeSeconds: z
    .union([z.null(), z.int().min(1)])
    .default(null)
    .meta({ description: 'How long the API key is valid after it was made; null: until it is regenerated.' }),
  rateLimit: z
    .union([
      z.null(),
      z.strictObject({ requests: z.int().min(1).max(1_000_000), perSeconds: z.int().min(1).max(86_400) }),
    ])
    .default(null)
    .meta({
      description:
        'How many requests are answered in so many seconds of the sandbox, counted from the first of them; 429 with `Retry-After` beyond. null: all.',
      examples: [{ requests: 60, perSeconds: 60 }],
    }),
  deprecation: z
    .union([z.null(), z.strictObject({ since: instant, sunset: instant.optional() })])
    .default(null)
    .meta({
      description:
        'When the interface was deprecated, and when it ends: every answer has `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), and after the end it is 410.',
      examples: [{ since: '2026-07-01T00:00:00Z', sunset: '2027-01-01T00:00:00Z' }],
    }),
};
