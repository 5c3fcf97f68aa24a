import { z } from 'zod';

import type { VendorSchema } from '../stand-ins/vendor-schema.ts';
import { isTooDeep } from '../web/is-too-deep.ts';
import { checkSlackBlocks } from './blocks/check-slack-blocks.ts';
import { describeProblems } from './describe-problem.ts';
import { slackObjectSchema, type SlackObject } from './slack-message.ts';
import type { SlackRefusal } from './slack-refusal.ts';

const maxAttachments = 100;

/** Secondary attachments and the blocks in them; whatever is wrong there is `invalid_attachments`. */
export function checkSlackAttachments(
  attachments: unknown,
  schema: VendorSchema,
): SlackRefusal | readonly SlackObject[] {
  const parsed = z.array(slackObjectSchema).safeParse(attachments);
  if (!parsed.success || isTooDeep(parsed.data)) return { error: 'invalid_attachments' };
  if (parsed.data.length > maxAttachments) return { error: 'too_many_attachments' };
  const refusals = parsed.data.flatMap((attachment, index) => {
    const place = `/attachments/${String(index)}`;
    const problems = describeProblems(schema.check('MessageAttachment', attachment), place);
    if (problems.length > 0) return [{ error: 'invalid_attachments', details: problems }];
    const { blocks } = attachment;
    const outcome = blocks === undefined ? [] : checkSlackBlocks(blocks, schema, `${place}/blocks`);
    return 'error' in outcome ? [asAttachmentRefusal(outcome)] : [];
  });
  const [first] = refusals;
  if (first === undefined) return parsed.data;
  const details = refusals.flatMap((refusal) => refusal.details ?? []);
  return { error: first.error, ...(details.length > 0 ? { details } : {}) };
}

function asAttachmentRefusal(refusal: SlackRefusal): SlackRefusal {
  return refusal.error.startsWith('invalid_blocks') ? { ...refusal, error: 'invalid_attachments' } : refusal;
}
