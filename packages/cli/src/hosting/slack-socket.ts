import { setTimeout as pause } from 'node:timers/promises';

import type { Log } from '@aftermeet/queue';
import type { SlackSettings } from '@aftermeet/recipes';
import type { SocketModeClient } from '@slack/socket-mode';

import type { AnswerSlack } from './slack-approvals.ts';

/** Slack shows a warning when an answer takes longer than three seconds. What takes longer goes on after it. */
const ANSWER_WITHIN_MS = 2500;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;
const CLOSE_WITHIN_MS = 1000;

interface SocketTools {
  readonly answer: AnswerSlack;
  readonly log: Log;
}

/**
 * Socket Mode: Slack tells of clicks over a connection that this process opens, so that no public address is needed. It is
 * opened again for as long as it takes; while it is away nothing else is disturbed.
 */
export function openSlackSocket(
  { appToken, apiUrl }: SlackSettings & { readonly appToken: string },
  { answer, log }: SocketTools,
): { close(): Promise<void> } {
  const closing = new AbortController();
  let client: SocketModeClient | undefined;

  async function acknowledge({
    ack,
    body,
  }: {
    ack: (response?: object) => Promise<void>;
    body: unknown;
  }): Promise<void> {
    const handled = answer(body);
    try {
      const result = await Promise.race([handled, pause(ANSWER_WITHIN_MS, undefined, { ref: false })]);
      await ack(result);
      await handled;
    } catch (error) {
      log.error({ error: nameOf(error) }, 'a click in Slack could not be answered');
    }
  }

  /** Resolves when the connection is over; rejects when there was none. */
  async function connect(): Promise<void> {
    const { LogLevel, SocketModeClient: Client } = await import('@slack/socket-mode');
    // Its own reconnection ends the process when Slack refuses the token.
    const opened = new Client({
      appToken,
      autoReconnectEnabled: false,
      logger: { ...silentLogger, getLevel: () => LogLevel.ERROR },
      clientOptions: {
        retryConfig: { retries: 0 },
        ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
      },
    });
    client = opened;
    opened.on('interactive', (envelope) => void acknowledge(envelope));
    await opened.start();
    log.info({}, 'Slack tells of clicks (Socket Mode)');
    await new Promise((resolve) => opened.once('disconnected', resolve));
  }

  async function keepOpen(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!closing.signal.aborted) {
      try {
        await connect();
        // Slack renews each connection every few hours.
        waitMs = FIRST_WAIT_MS;
      } catch (error) {
        if (closing.signal.aborted) return;
        log.warn(
          { error: nameOf(error), waitMs },
          'Slack cannot tell of clicks (Socket Mode): it is tried again',
        );
      }
      await pause(waitMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
    }
  }

  const running = keepOpen();
  return {
    async close() {
      closing.abort();
      await Promise.race([client?.disconnect(), pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
      await Promise.race([running, pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

/** The code of Slack's refusal, such as `invalid_auth`, or the kind of the error: its text may hold an address. */
function nameOf(error: unknown): string {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  const code = typeof data === 'object' && data !== null && 'error' in data ? data.error : undefined;
  if (typeof code === 'string' && /^[a-z_]{1,60}$/.test(code)) return code;
  return error instanceof Error ? error.name : 'unknown';
}

/** The SDK would log what people write. */
const silentLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  setName: () => {},
};
