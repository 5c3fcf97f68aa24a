import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { z } from 'zod';

import type { SendResult, UpdateResult } from '../shipment.ts';
import { findConnectFailure } from '../surely-unsent.ts';

type Failure = Exclude<SendResult, { result: 'sent' }>;

/** Slack said no before doing anything, and a later try may do. */
const laterCodes: ReadonlySet<string> = new Set([
  'message_limit_exceeded',
  'team_added_to_org',
  'org_login_required',
  'accesslimited',
]);

/** Slack's own table says of these that something may have happened. */
const unknownCodes: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** What to do about the refusals that people meet first. */
const hints: Readonly<Record<string, string>> = {
  invalid_auth: 'check the bot token (SLACK_BOT_TOKEN)',
  not_authed: 'set the bot token (SLACK_BOT_TOKEN)',
  token_revoked: 'install the app again and set its new token (SLACK_BOT_TOKEN)',
  token_expired: 'install the app again and set its new token (SLACK_BOT_TOKEN)',
  missing_scope:
    'give the app the scopes chat:write, channels:history and groups:history (and im:history for direct messages), and install it again',
  channel_not_found: "check the channel's id, and invite the app to a private channel",
  not_in_channel: 'invite the app to the channel',
  is_archived: 'choose a channel that is not archived',
  cant_update_message: 'the message was posted by another app, so this one may not change it',
  cannot_reply_to_message: 'the message that it belongs to takes no replies',
  thread_not_found: 'the message that it belongs to is not there any more',
  cannot_dm_bot: 'the person is an app: name somebody else under people',
  user_not_found: 'the person is not in the workspace: check their id under people',
  user_disabled: 'the person has left the workspace',
  edit_window_closed: 'the workspace does not let messages be changed any more after so long',
};

const neededSchema = z.object({ needed: z.string().regex(/^[a-z_:.,]{1,80}$/) });

const defaultWaitMs = 30_000;

/**
 * What a failed call to Slack means for the message. The lists follow the error tables of
 * docs.slack.dev (chat.postMessage); a code that is not known was an answer, so nothing was posted.
 */
export function classifySlackError(error: unknown): Failure {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter * 1000);
  if (error instanceof WebAPIPlatformError) return classifyCode(error.data.error, readNeeded(error));
  if (error instanceof WebAPIHTTPError) return classifyStatus(error.statusCode);
  const failure = findConnectFailure(error instanceof WebAPIRequestError ? error.original : error);
  if (failure !== undefined)
    return { result: 'not_sent_retry', cause: `Slack cannot be reached (${failure})` };
  // A 429 whose Retry-After is not a number arrives as a plain error that names the header.
  if (error instanceof Error && error.message.startsWith('Retry header')) return rateLimited(defaultWaitMs);
  return { result: 'unknown', cause: 'Slack did not answer in time, or its answer was cut off' };
}

/** The same for a change of a message. */
export function classifySlackUpdate(error: unknown): Exclude<UpdateResult, { result: 'sent' }> {
  if (error instanceof WebAPIPlatformError && error.data.error === 'message_not_found') {
    return { result: 'gone', cause: 'the message is not in the channel any more' };
  }
  return classifySlackError(error);
}

function rateLimited(retryAfterMs: number): Failure {
  return { result: 'rate_limited', cause: 'Slack limits the rate (429)', retryAfterMs };
}

function classifyStatus(status: number): Failure {
  // 408 is a limit of time that something on the way has: what it had passed on by then may have arrived.
  if (status === 408 || status >= 500) return { result: 'unknown', cause: `Slack answered ${status}` };
  if (status === 429) return rateLimited(defaultWaitMs);
  return { result: 'permanent', cause: `Slack answered ${status}` };
}

function classifyCode(code: string, needed: string | undefined): Failure {
  // What is not a code is the page of something between Slack and us.
  if (!/^[a-z0-9_]{1,80}$/.test(code)) return { result: 'unknown', cause: "Slack's answer cannot be read" };
  if (code === 'ratelimited' || code === 'rate_limited') return rateLimited(defaultWaitMs);
  if (unknownCodes.has(code)) {
    // One channel can be out of order: Slack itself is there.
    return { result: 'unknown', cause: `Slack answered ${code}`, contact: 'answered' };
  }
  if (laterCodes.has(code)) {
    return { result: 'not_sent_retry', cause: `Slack answered ${code}`, contact: 'answered' };
  }
  const scope = code === 'missing_scope' && needed !== undefined;
  const hint = scope ? `give the app the scope ${needed}, and install it again` : hints[code];
  return { result: 'permanent', cause: `Slack answered ${code}${hint === undefined ? '' : `: ${hint}`}` };
}

/** The scope that Slack says is missing. */
function readNeeded({ data }: WebAPIPlatformError): string | undefined {
  const { success, data: found } = neededSchema.safeParse(data);
  return success ? found.needed : undefined;
}

/** Slack's code for why it refused; undefined for every other failure. */
export function readSlackCode(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}
