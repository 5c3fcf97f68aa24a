import { type ChatPostMessageArguments, type ChatUpdateArguments, LogLevel, WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { SlackSettings } from '../destinations.ts';
import {
  type Carrier,
  type SendResult,
  sendTimeoutMs,
  type Shipment,
  type ShipmentLabel,
  type UpdateResult,
} from '../shipment.ts';
import { classifySlackError, classifySlackUpdate } from './classify-slack-error.ts';
import { findSlackMessage } from './find-slack-message.ts';
import type { SlackMessage } from './slack-message.ts';
import { effectEventType, formatReference, readReference } from './slack-reference.ts';

const postedSchema = z.object({ channel: z.string(), ts: z.string() });

/**
 * Opens Slack through its Web API. The SDK neither retries nor waits: the ledger owns retries. The
 * effect's key travels as message metadata, which is how an unsettled message is found again.
 */
export function openSlack(settings: SlackSettings, timeoutMs = sendTimeoutMs): Carrier<SlackMessage> {
  const client = new WebClient(settings.token, {
    ...(settings.apiUrl === undefined ? {} : { slackApiUrl: settings.apiUrl }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    allowAbsoluteUrls: false,
    logger: mutedLogger,
  });
  return {
    prepare: async (message, label) => ({
      result: 'ready',
      shipment: shipMessage(client, message, label, timeoutMs),
    }),
    close: async () => {},
  };
}

function shipMessage(
  client: WebClient,
  message: SlackMessage,
  label: ShipmentLabel,
  timeoutMs: number,
): Shipment {
  return {
    timeoutMs,
    send: () => postMessage(client, message, label),
    probe: (sinceMs) => findSlackMessage(client, label, sinceMs, timeoutMs),
    update: (reference) => updateMessage(client, message, reference),
  };
}

async function postMessage(
  client: WebClient,
  message: SlackMessage,
  label: ShipmentLabel,
): Promise<SendResult> {
  try {
    const post: ChatPostMessageArguments = {
      channel: label.target,
      text: message.text,
      blocks: [...message.blocks],
      metadata: { event_type: effectEventType, event_payload: { key: label.effectKey } },
      unfurl_links: false,
      unfurl_media: false,
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
    const answer = await client.chat.postMessage(post);
    const posted = postedSchema.safeParse(answer);
    if (!posted.success) {
      return { result: 'unknown', cause: "Slack's answer names no message", contact: 'answered' };
    }
    return { result: 'sent', reference: formatReference(posted.data.channel, posted.data.ts) };
  } catch (error) {
    return classifySlackError(error);
  }
}

/**
 * The metadata is not given, so it stays (docs.slack.dev, chat.update): the message goes on carrying the key of the
 * effect that posted it, which alone may have to be found. A change is never looked for; it is made again.
 */
async function updateMessage(
  client: WebClient,
  message: SlackMessage,
  reference: string,
): Promise<UpdateResult> {
  const place = readReference(reference);
  if (place === undefined) {
    const cause = 'what is known of the message does not say where it is';
    return { result: 'permanent', cause, contact: 'none' };
  }
  try {
    const change: ChatUpdateArguments = { ...place, text: message.text, blocks: [...message.blocks] };
    await client.chat.update(change);
    return { result: 'sent', reference };
  } catch (error) {
    return classifySlackUpdate(error);
  }
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
