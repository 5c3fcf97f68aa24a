import { LogLevel, WebClient } from '@slack/web-api';

import type { SlackSettings } from '../destinations.ts';

/** The SDK, told neither to retry nor to wait: the ledger owns retries. `timeoutMs` bounds one call. */
export function openClient({ token, apiUrl }: SlackSettings, timeoutMs: number): WebClient {
  return new WebClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    allowAbsoluteUrls: false,
    logger: mutedLogger,
  });
}

/** The SDK's own log lines would carry what was sent; every outcome comes back as a value anyway. */
const mutedLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};
