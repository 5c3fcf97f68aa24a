import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { describe, expect, it } from 'vitest';

import { classifySlackError } from './classify-slack-error.ts';

function platform(error: string): Error {
  return new WebAPIPlatformError({ ok: false, error });
}

function network(code: string, syscall = 'connect'): Error {
  const cause = Object.assign(new Error('no'), { code, syscall });
  return new WebAPIRequestError(new TypeError('fetch failed', { cause }));
}

describe('classifySlackError', () => {
  it.each([
    ['a refused channel', platform('channel_not_found'), 'permanent'],
    ['a revoked token', platform('token_revoked'), 'paused'],
    ['an app that is switched off', platform('account_inactive'), 'paused'],
    ['blocks that are too long', platform('msg_blocks_too_long'), 'permanent'],
    ['an unknown code', platform('something_new'), 'permanent'],
    ['an internal error', platform('internal_error'), 'unknown'],
    ['a fatal error', platform('fatal_error'), 'unknown'],
    ['a request timeout', platform('request_timeout'), 'unknown'],
    ['a page of a proxy', platform('<html>Bad Gateway</html>'), 'unknown'],
    ['a limit in words', platform('ratelimited'), 'rate_limited'],
    ['a full workspace', platform('message_limit_exceeded'), 'not_sent_retry'],
    ['HTTP 429', new WebAPIRateLimitedError(7), 'rate_limited'],
    ['HTTP 429 without a time', new Error('Retry header did not contain a valid timeout'), 'rate_limited'],
    ['HTTP 502', new WebAPIHTTPError(502, 'Bad Gateway', {}), 'unknown'],
    ['HTTP 408', new WebAPIHTTPError(408, 'Request Timeout', {}), 'unknown'],
    ['HTTP 404', new WebAPIHTTPError(404, 'Not Found', {}), 'permanent'],
    ['a refused connection', network('ECONNREFUSED'), 'not_sent_retry'],
    ['an unknown name', network('ENOTFOUND', 'getaddrinfo'), 'not_sent_retry'],
    ['a route lost while connecting', network('EHOSTUNREACH'), 'not_sent_retry'],
    ['a route lost while reading', network('EHOSTUNREACH', 'read'), 'unknown'],
    ['a reset connection', network('ECONNRESET', 'read'), 'unknown'],
    ['an answer cut off', new TypeError('terminated'), 'unknown'],
  ])('%s: %s', (_name, error, expected) => {
    expect(classifySlackError(error).result).toBe(expected);
  });

  it('says what to do', () => {
    expect(classifySlackError(platform('not_in_channel')).cause).toBe(
      'Slack answered not_in_channel: invite the app to the channel',
    );
  });
});
