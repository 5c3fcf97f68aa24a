import { z } from 'zod';

import { faultKind, wholeNumber, type CallFault } from '../../faults.ts';
import { notionErrorCodes } from './errors.ts';

/** https://developers.notion.com/reference/capabilities */
const capabilities = ['read_content', 'insert_content', 'update_content', 'read_users'] as const;

export type NotionCapability = (typeof capabilities)[number];

export const optionsSchema = z.strictObject({
  /** The token's status: calls with a revoked one are `unauthorized`. */
  token: z.enum(['active', 'revoked']),
  /** What the connection may do; a method that needs another capability is `restricted_resource`. */
  capabilities: z.array(z.enum(capabilities)),
});

export type NotionOptions = z.output<typeof optionsSchema>;

export const defaultOptions: NotionOptions = {
  token: 'active',
  capabilities: [...capabilities],
};

/** One of Notion's errors instead of the answer. */
export const errorFaultSchema = faultKind('error', {
  code: z.enum(notionErrorCodes),
  /** `public_api_request_rate_limit`, `public_api_space_request_rate_limit`, `public_api_request_blocked`. */
  rate_limit_reason: z.string().max(100, 'must be text of at most 100 characters').optional(),
  retry_after_seconds: wholeNumber(0, 86_400).optional(),
  /** True: the call is done all the same, as Notion says is possible with a 503. Default false. */
  is_applied: z.boolean().optional(),
  /** Whether the error then names what was created (`committed_resource_id`, `committed_child_ids`). Default true. */
  is_told: z.boolean().optional(),
});

export type NotionErrorFault = z.output<typeof errorFaultSchema>;
export type NotionFault = CallFault | NotionErrorFault;
