import { z } from 'zod';

import type { VendorSchema } from '../stand-ins/vendor-schema.ts';
import { isTooDeep } from '../web/is-too-deep.ts';
import { describeProblems } from './describe-problem.ts';
import { slackObjectSchema, type SlackMetadata } from './slack-message.ts';
import type { SlackRefusal } from './slack-refusal.ts';

/** In bytes of JSON. Slack has a limit and states none: assumed. */
const maxMetadataBytes = 8192;

/** https://docs.slack.dev/messaging/message-metadata: letters, digits and `_`. */
const metadataSchema = z.object({
  event_type: z.string().regex(/^\w{1,255}$/),
  event_payload: slackObjectSchema,
});

/** Metadata of a message: its type, and a payload whose values are flat or one level deep. */
export function checkSlackMetadata(value: unknown, schema: VendorSchema): SlackRefusal | SlackMetadata {
  const parsed = metadataSchema.safeParse(value);
  if (!parsed.success || isTooDeep(value)) return { error: 'invalid_metadata_format' };
  const problems = schema.check('MessageMetadata', parsed.data);
  if (problems.length > 0) {
    return { error: 'invalid_metadata_schema', details: describeProblems(problems, '/metadata') };
  }
  if (Buffer.byteLength(JSON.stringify(parsed.data)) > maxMetadataBytes)
    return { error: 'metadata_too_large' };
  return parsed.data;
}
