import { z } from 'zod';

import { isMailAddress } from '../destinations/email/mail-address.ts';
import { explainMissingDestination } from '../destinations/index.ts';
import type { Destinations } from '../destinations/settings.ts';
import { slackChannelId, slackMemberId } from '../destinations/slack/message.ts';
import type { ApprovalRules } from '../engine/approval-rules.ts';
import { durationSetting } from '../engine/limits/policy-settings.ts';
import type { RecipeProblem } from '../engine/recipe.ts';
import { listSchemaProblems } from '../engine/schema-problems.ts';

const channel = 'the id of a channel, such as C0123ABC';
const members = 'ids of members, such as [U0123ABC]';
const addresses = 'an address such as name@example.com, or a list of them';
const address = z.string({ error: addresses }).refine(isMailAddress, { error: addresses });

/** `approve:` of a recipe: who is asked to approve what it holds. */
export const approveSchema = z.strictObject({
  slack: z
    .string({ error: channel })
    .regex(slackChannelId, { error: channel })
    .optional()
    .describe('The id of the channel that gets the requests.'),
  by: z
    .array(z.string({ error: members }).regex(slackMemberId, { error: members }), { error: members })
    .min(1, { error: members })
    .optional()
    .describe('Who may answer there; without it each full member of the workspace who sees the channel.'),
  email: z
    .union([address.transform((one) => [one]), z.array(address).min(1)], { error: addresses })
    .optional()
    .describe('Who gets a mail with a link.'),
  expires: durationSetting('1m', '30d')
    .default(72 * 60 * 60 * 1000)
    .describe('How long a request can be answered. Default: 72h.'),
});

const keys = Object.keys(approveSchema.shape);

type Approve = Readonly<Record<string, unknown>>;

/** What is wrong with it. */
export function checkApprove(
  approve: Approve | undefined,
  destinations: Destinations | undefined,
): readonly RecipeProblem[] {
  if (approve === undefined) return [];
  const read = approveSchema.safeParse(approve);
  if (!read.success) return listSchemaProblems(read.error, 'approve', keys);
  const { slack, email, by } = read.data;
  if (slack === undefined && email === undefined)
    return [{ setting: 'approve', found: 'nobody', expected: 'slack: a channel, or email: addresses' }];
  if (slack === undefined && by !== undefined)
    return [{ setting: 'approve.slack', found: 'nothing, with by', expected: channel }];
  if (destinations === undefined) return [];
  return (['slack', 'email'] as const).flatMap((name) => {
    const missing = read.data[name] === undefined ? undefined : explainMissingDestination(name, destinations);
    return missing === undefined
      ? []
      : [{ setting: `approve.${name}`, found: 'a destination', expected: missing }];
  });
}

/** The rules of settings that are right. */
export function bindApprove(approve: Approve | undefined): ApprovalRules | undefined {
  if (approve === undefined) return undefined;
  const { slack, by = [], email = [], expires } = approveSchema.parse(approve);
  const asks = [
    ...(slack === undefined ? [] : [{ destination: 'slack', target: slack }]),
    ...email.map((target) => ({ destination: 'email', target })),
  ];
  return { asks, by, expiresMs: expires };
}
