import { keepAliveFetch } from '@aftermeet/client/node';
import {
  type ChatPostMessageArguments,
  type WebAPICallResult,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { z } from 'zod';

import type { SlackSettings } from './settings.ts';

/** Posts a message and resolves with Slack's answer. Fails with the errors of Slack's SDK. */
export type PostJson = (request: ChatPostMessageArguments, timeoutMs: number) => Promise<WebAPICallResult>;

const SLACK_API = 'https://slack.com/api/';

/**
 * `chat.postMessage` without Slack's SDK. The SDK writes the message out as a line of a log that nothing reads, twice, and encodes
 * it as a form: a call takes several times the processor's time of a JSON body (docs.slack.dev, Web API, JSON-encoded bodies).
 */
export function openPostJson({ token, apiUrl = SLACK_API }: SlackSettings): PostJson {
  const url = `${apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`}chat.postMessage`;
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'user-agent': 'aftermeet',
    // Slack warns where the charset is not named.
    'content-type': 'application/json; charset=utf-8',
  };
  return async (request, timeoutMs) => {
    const body = JSON.stringify(request);
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = { method: 'POST', headers, body, redirect: 'error', signal } as const;
    const answer = await keepAliveFetch(url, asked).catch((error: unknown) => {
      throw new WebAPIRequestError(error instanceof Error ? error : new Error(String(error)));
    });
    if (answer.status === 429) {
      const seconds = Number.parseInt(answer.headers.get('retry-after') ?? '', 10);
      if (!Number.isNaN(seconds)) throw new WebAPIRateLimitedError(seconds);
    }
    const text = await answer.text();
    if (answer.status !== 200) throw new WebAPIHTTPError(answer.status, '', {});
    const result = readAnswer(text);
    if (!result.ok) throw new WebAPIPlatformError(result);
    return result;
  };
}

type Answer = ConstructorParameters<typeof WebAPIPlatformError>[0];

const answerSchema = z.looseObject({ ok: z.boolean(), error: z.string().default('') });

/** What is none of Slack's, such as the page of a proxy, has an error without a code. */
function readAnswer(text: string): Answer {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return { ok: false, error: '' };
  }
}
