import { keepAliveFetch } from '@aftermeet/client/node';
import { LogLevel, WebClient } from '@slack/web-api';

import type { ServiceActions } from '../../engine/destination.ts';
import {
  type Connector,
  type Preparation,
  sendTimeoutMs,
  type SendLabel,
} from '../../engine/prepared-send.ts';
import { findSlackMessage } from './find-message.ts';
import { parseReference, type SlackMessage } from './message.ts';
import {
  createSlackDirectory,
  fillMentions,
  findChannel,
  leaveOutReached,
  type SlackDirectory,
} from './people.ts';
import { prepareFile } from './post-file.ts';
import { openPostJson } from './post-json.ts';
import { postMessage, type PostTools, updateMessage } from './post-message.ts';
import type { SlackSettings } from './settings.ts';

interface SlackTools extends PostTools {
  readonly directory: SlackDirectory;
  readonly service: ServiceActions | undefined;
}

/**
 * Opens Slack through its Web API. Messages carry the key of their effect as metadata, by which a message of unknown
 * outcome is found. `service` exports what is posted as a file.
 */
export function openSlack(
  settings: SlackSettings,
  timeoutMs = sendTimeoutMs,
  service?: ServiceActions,
  clock: () => number = Date.now,
): Connector<SlackMessage> {
  const client = openSlackClient(settings, timeoutMs);
  const retryClient = openSlackClient(settings, timeoutMs / 2);
  const directory = createSlackDirectory(client, clock);
  const post = openPostJson(settings);
  const tools: SlackTools = { post, client, retryClient, timeoutMs, clock, directory, service };
  return {
    prepare: (message, label) => prepareMessage(message, label, tools),
    close: async () => {},
  };
}

async function prepareMessage(
  message: SlackMessage,
  { effectKey, target, parent, ...label }: SendLabel,
  tools: SlackTools,
): Promise<Preparation> {
  const thread = parent === undefined ? undefined : parseReference(parent);
  if (parent !== undefined && thread === undefined) {
    const cause = 'the stored reference of the first message names no message';
    return { result: 'permanent', cause, contact: 'none' };
  }
  if (message.file !== undefined) {
    return prepareFile(message.file, { ...label, effectKey, target }, thread, tools);
  }
  const place = await findChannel(message, target, tools.directory);
  if ('result' in place) return place;
  const written = await leaveOutReached(message, tools.directory);
  if ('result' in written) return written;
  const { channel } = place;
  const { client, directory, timeoutMs } = tools;
  const filled = { ...written.message, blocks: await fillMentions(written.message, directory) };
  const threadTs = thread === undefined ? {} : { threadTs: thread.ts };
  return {
    result: 'ready',
    prepared: {
      timeoutMs,
      send: () => postMessage(filled, { channel, ...threadTs, effectKey }, tools),
      probe: (sinceMs) => findSlackMessage(client, { effectKey, channel, ...threadTs }, sinceMs, timeoutMs),
      update: (reference) => updateMessage(filled, reference, tools),
    },
  };
}

/** Slack's SDK without its retries and waits: the ledger owns retries. `timeoutMs` bounds one call. */
export function openSlackClient({ token, apiUrl }: SlackSettings, timeoutMs: number): WebClient {
  return new WebClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    fetch: keepAliveFetch,
    allowAbsoluteUrls: false,
    logger: silentLogger,
  });
}

/** The SDK would log what is sent; every outcome is returned as a value. */
const silentLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};
