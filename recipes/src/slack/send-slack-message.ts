import { type ChatPostMessageArguments, LogLevel, WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { SlackSettings } from '../destinations.ts';
import {
  type Carrier,
  type ProbeResult,
  type SendResult,
  sendTimeoutMs,
  type Shipment,
  type ShipmentLabel,
} from '../shipment.ts';
import { classifySlackError } from './classify-slack-error.ts';
import type { SlackMessage } from './slack-message.ts';

const eventType = 'aftermeet_effect';
const probePages = 5;
/** Slack's clock and ours may differ by this much. */
const clockSlackSeconds = 60;

const postedSchema = z.object({ channel: z.string(), ts: z.string() });
const historySchema = z.object({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
const markedSchema = z.object({
  ts: z.string(),
  metadata: z.object({ event_type: z.literal(eventType), event_payload: z.object({ key: z.string() }) }),
});

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
    probe: (sinceMs) => findMessage(client, label, sinceMs),
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
      metadata: { event_type: eventType, event_payload: { key: label.effectKey } },
      unfurl_links: false,
      unfurl_media: false,
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
    const answer = await client.chat.postMessage(post);
    const posted = postedSchema.safeParse(answer);
    if (!posted.success) return { result: 'unknown', cause: "Slack's answer names no message" };
    return { result: 'sent', reference: formatReference(posted.data.channel, posted.data.ts) };
  } catch (error) {
    return classifySlackError(error);
  }
}

async function findMessage(client: WebClient, label: ShipmentLabel, sinceMs: number): Promise<ProbeResult> {
  const oldest = String(Math.floor(sinceMs / 1000) - clockSlackSeconds);
  let cursor: string | undefined;
  try {
    for (let page = 0; page < probePages; page += 1) {
      const answer = historySchema.parse(
        await client.conversations.history({
          channel: label.target,
          oldest,
          limit: 200,
          include_all_metadata: true,
          ...(cursor === undefined ? {} : { cursor }),
        }),
      );
      for (const message of answer.messages) {
        const marked = markedSchema.safeParse(message);
        if (marked.success && marked.data.metadata.event_payload.key === label.effectKey) {
          return { result: 'found', reference: formatReference(label.target, marked.data.ts) };
        }
      }
      cursor = answer.response_metadata?.next_cursor;
      if (cursor === undefined || cursor === '') return { result: 'absent' };
    }
    return { result: 'unsure', cause: 'the channel has more new messages than were looked through' };
  } catch (error) {
    const failure = classifySlackError(error);
    const cause = `whether the message was posted could not be looked up: ${failure.cause}`;
    if (failure.result === 'rate_limited') return { ...failure, cause };
    return { result: failure.result === 'permanent' ? 'impossible' : 'not_asked', cause };
  }
}

function formatReference(channel: string, ts: string): string {
  return `${channel}/${ts}`;
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
