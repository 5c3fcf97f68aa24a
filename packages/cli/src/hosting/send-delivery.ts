import { randomUUID } from 'node:crypto';

import { formatAddress } from '@aftermeet/receiver';
import { deliveryHeaderNames, signDelivery } from '@aftermeet/webhooks';

import type { Context } from '../context.ts';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { WrongUse } from '../wrong-use.ts';

export interface SendOptions {
  readonly event: string;
  readonly endpoint: string;
  readonly meetingId: string;
  readonly title: string;
  readonly reason: string;
  readonly emptyTranscript?: boolean;
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
  const secret = settings.endpoints.byName.get(options.endpoint)?.secrets[0];
  if (secret === undefined) {
    throw new WrongUse(
      options.endpoint === 'default'
        ? "There is no secret to sign with: set WEBHOOK_SECRET to the receiver's.\n"
        : `There is no endpoint ${JSON.stringify(options.endpoint)} with secrets in aftermeet.yaml.\n`,
    );
  }
  const target = readTarget(url ?? defaultTarget(settings, options.endpoint));
  const answer = await post(target, settings.headerPrefix, secret, {
    event: options.event,
    body: bodyOf(options, new Date()),
  });
  context.write(
    options.json === true
      ? formatJson({ url: target, ...answer }, { oneLine: true })
      : cleanText(`${target} answered ${answer.status}: ${answer.body}\n`),
  );
  return answer.ok ? EXIT_OK : EXIT_FAILED;
}

function defaultTarget(settings: Settings, endpoint: string): string {
  return `${settings.publicUrl ?? formatAddress(settings.host, settings.port)}/hooks/${endpoint}`;
}

function readTarget(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    // What stands before an @ may be a password.
    const named = text.includes('@') ? 'That' : JSON.stringify(text);
    throw new WrongUse(`${named} is no http or https address.\n`);
  }
  const { username, password } = new URL(text);
  if (username === '' && password === '') return text;
  throw new WrongUse('The address has a user or a password in it, which a delivery has no place for.\n');
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
  secret: string,
  { event, body }: { readonly event: string; readonly body: Buffer },
): Promise<{ ok: boolean; status: number; body: string }> {
  const names = deliveryHeaderNames(headerPrefix);
  const signed = signDelivery({ secret, timestampSeconds: Math.floor(Date.now() / 1000), body });
  const response = await fetch(url, {
    method: 'POST',
    body: new Uint8Array(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'content-type': 'application/json',
      [names.event]: event,
      [names.signature]: signed.signature,
      [names.timestamp]: signed.timestamp,
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
