import { randomUUID } from 'node:crypto';

import { type DeliveryHeaderNames, deliveryHeaderNames, signDelivery } from '@aftermeet/webhooks';

import type { Context } from '../context.ts';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { findSendTarget } from './find-send-target.ts';

export interface SendOptions {
  readonly event: string;
  readonly endpoint?: string;
  readonly meetingId: string;
  readonly title: string;
  readonly reason: string;
  readonly emptyTranscript?: boolean;
  readonly unsigned?: boolean;
  readonly json?: boolean;
  readonly config?: string;
}

const TIMEOUT_MS = 10_000;

/** What `aftermeet send` does; returns its exit code. */
export async function sendDelivery(
  context: Context,
  url: string | undefined,
  options: SendOptions,
): Promise<number> {
  const settings = await loadSettings(context.environment, options.config);
  const { url: target, secret } = findSendTarget(settings, url, options);
  const answer = await post(target, settings.headerPrefix, secret, {
    event: options.event,
    body: bodyOf(options, new Date()),
  });
  context.write(
    options.json === true
      ? formatJson({ url: target, ...answer }, { oneLine: true })
      : cleanText(`${target} answered ${answer.status}: ${answer.body}\n`),
  );
  const { origin, pathname } = new URL(target);
  if (answer.status === 404 && !pathname.includes('/hooks/')) {
    context.writeError(
      `A receiver takes deliveries at ${origin}/hooks/<endpoint>, which this address is not.\n`,
    );
  }
  return answer.ok ? EXIT_OK : EXIT_FAILED;
}

/** The body as in the specification's section "Events". */
function bodyOf(options: SendOptions, now: Date): Buffer {
  const isCompleted = options.event === 'meeting.completed';
  return Buffer.from(
    JSON.stringify({
      event: options.event,
      meeting_id: options.meetingId,
      timestamp: now.toISOString(),
      data: {
        title: options.title,
        ...(isCompleted
          ? { is_transcript_empty: options.emptyTranscript === true }
          : { reason: options.reason }),
      },
    }),
  );
}

async function post(
  url: string,
  headerPrefix: string,
  secret: string | undefined,
  { event, body }: { readonly event: string; readonly body: Buffer },
): Promise<{ ok: boolean; status: number; body: string }> {
  const names = deliveryHeaderNames(headerPrefix);
  const response = await fetch(url, {
    method: 'POST',
    body: new Uint8Array(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'content-type': 'application/json',
      [names.event]: event,
      ...(secret === undefined ? {} : sign(names, secret, body)),
      [names.delivery]: randomUUID(),
    },
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new Error(`${new URL(url).origin} did not answer${cause}. Is the receiver running?`, {
      cause: error,
    });
  });
  return { ok: response.ok, status: response.status, body: (await response.text()).slice(0, 1000) };
}

function sign(names: DeliveryHeaderNames, secret: string, body: Buffer): Readonly<Record<string, string>> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const { signature, timestamp } = signDelivery({ secret, timestampSeconds, body });
  return { [names.signature]: signature, [names.timestamp]: timestamp };
}
