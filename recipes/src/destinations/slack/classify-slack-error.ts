import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { z } from 'zod';

import { findConnectFailure } from '../../engine/known-not-sent.ts';
import type { NotSent, SendResult, UpdateResult } from '../../engine/prepared-send.ts';

type Failure = Exclude<SendResult, { result: 'sent' }>;

/** Slack refused before doing anything; a later attempt may succeed. */
const laterCodes: ReadonlySet<string> = new Set([
  'message_limit_exceeded',
  'team_added_to_org',
  'org_login_required',
  'accesslimited',
]);

/** According to Slack's table something may have happened. */
const unknownCodes: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** The token is refused, whatever the message. */
const tokenCodes: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
]);

/** The scope that every message needs; others are needed for files and people alone. */
const MESSAGE_SCOPE = 'chat:write';

/** What to do about the most common refusals. */
const advice: Readonly<Record<string, string>> = {
  invalid_auth: 'check the bot token (SLACK_BOT_TOKEN)',
  not_authed: 'set the bot token (SLACK_BOT_TOKEN)',
  token_revoked: 'install the app again and set its new token (SLACK_BOT_TOKEN)',
  account_inactive: 'the app or its workspace is switched off: install the app again (SLACK_BOT_TOKEN)',
  token_expired: 'install the app again and set its new token (SLACK_BOT_TOKEN)',
  missing_scope:
    'give the app the scopes chat:write, channels:history and groups:history (and im:history for direct messages), and install it again',
  channel_not_found: "check the channel's id, and invite the app to a private channel",
  not_in_channel: 'invite the app to the channel',
  is_archived: 'choose a channel that is not archived',
  cant_update_message: 'the message was posted by another app, so this one may not change it',
  cannot_reply_to_message: 'the message that it belongs to takes no replies',
  thread_not_found: 'the message that it belongs to is not there any more',
  cannot_dm_bot: 'the person is an app: name another person under people',
  user_not_found: 'the person is not in the workspace: check their id under people',
  user_disabled: 'the person has left the workspace',
  edit_window_closed: 'the workspace does not let messages be changed any more after so long',
};

const scopeSchema = z.object({ needed: z.string().regex(/^[a-z_:.,]{1,80}$/) });

const defaultWaitMs = 30_000;

/**
 * What a failed call to Slack means for the message. The lists follow the error tables of docs.slack.dev
 * (chat.postMessage). With an unknown code Slack has answered, so nothing was posted.
 */
export function classifySlackError(error: unknown): Failure {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter * 1000);
  if (error instanceof WebAPIPlatformError) return classifyCode(error.data.error, readMissingScope(error));
  if (error instanceof WebAPIHTTPError) return classifyStatus(error.statusCode);
  const failure = findConnectFailure(error instanceof WebAPIRequestError ? error.original : error);
  if (failure !== undefined)
    return { result: 'not_sent_retry', cause: `Slack cannot be reached (${failure})` };
  // For a 429 whose Retry-After is not a number the SDK throws a plain error that names the header.
  if (error instanceof Error && error.message.startsWith('Retry header')) return rateLimited(defaultWaitMs);
  return { result: 'unknown', cause: 'Slack did not answer in time, or its answer was cut off' };
}

/** The same for an update of a message. */
export function classifySlackUpdate(error: unknown): Exclude<UpdateResult, { result: 'sent' }> {
  if (error instanceof WebAPIPlatformError && error.data.error === 'message_not_found') {
    return { result: 'gone', cause: 'the message is not in the channel any more' };
  }
  return classifySlackError(error);
}

/** For a call that posts nothing: an unknown outcome is safe to repeat. */
export function toNotSent(failure: Failure): NotSent {
  return failure.result === 'unknown' ? { ...failure, result: 'not_sent_retry' } : failure;
}

/** Slack's error code; undefined for every other failure. */
export function readSlackCode(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

function rateLimited(retryAfterMs: number): Failure {
  return { result: 'rate_limited', cause: 'Slack limits the rate (429)', retryAfterMs };
}

function classifyStatus(status: number): Failure {
  // 408 comes from a proxy: what it passed on until then may have arrived.
  if (status === 408 || status >= 500) return { result: 'unknown', cause: `Slack answered ${status}` };
  if (status === 429) return rateLimited(defaultWaitMs);
  return { result: 'permanent', cause: `Slack answered ${status}` };
}

function classifyCode(given: unknown, needed: string | undefined): Failure {
  const code = typeof given === 'string' ? given : '';
  // Anything else is the page of a proxy.
  if (!/^[a-z0-9_]{1,80}$/.test(code)) return { result: 'unknown', cause: "Slack's answer cannot be read" };
  if (code === 'ratelimited' || code === 'rate_limited') return rateLimited(defaultWaitMs);
  if (unknownCodes.has(code)) {
    // A single channel can fail while Slack works.
    return { result: 'unknown', cause: `Slack answered ${code}`, contact: 'answered' };
  }
  if (laterCodes.has(code)) {
    return { result: 'not_sent_retry', cause: `Slack answered ${code}`, contact: 'answered' };
  }
  const isScopeNamed = code === 'missing_scope' && needed !== undefined;
  const toDo = isScopeNamed ? `give the app the scope ${needed}, and install it again` : advice[code];
  const cause = `Slack answered ${code}${toDo === undefined ? '' : `: ${toDo}`}`;
  const isTokenRefused = tokenCodes.has(code) || (isScopeNamed && needed.split(',').includes(MESSAGE_SCOPE));
  return { result: isTokenRefused ? 'paused' : 'permanent', cause };
}

/** The missing scope. */
function readMissingScope({ data }: WebAPIPlatformError): string | undefined {
  const { success, data: found } = scopeSchema.safeParse(data);
  return success ? found.needed : undefined;
}
