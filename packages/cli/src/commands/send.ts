import { randomUUID } from 'node:crypto';

import { formatAddress } from '@aftermeet/receiver';
import { deliveryHeaderNames, signDelivery } from '@aftermeet/webhooks';
import { type Command, Option } from 'commander';

import { type Context, loadSettings } from '../context.ts';
import type { Settings } from '../settings/settings.ts';
import { WrongUse } from '../wrong-use.ts';

interface SendOptions {
  readonly event: string;
  readonly endpoint: string;
  readonly meetingId: string;
  readonly title: string;
  readonly reason: string;
  readonly emptyTranscript?: boolean;
  readonly json?: boolean;
}

const TIMEOUT_MS = 10_000;

/** `aftermeet send`: signs a test delivery with the settings' own secret and posts it. */
export function addSendCommand(program: Command, context: Context, finish: (code: number) => void): void {
  program
    .command('send')
    .summary('sign a test delivery and send it to a receiver')
    .description(
      'Signs a delivery as the service does, with the secret of the endpoint in these settings, and posts it. ' +
        'Without URL it goes to PUBLIC_URL, or to the receiver on this machine. It proves the way into the queue; ' +
        'for the way out, name a meeting with --meeting-id that the service has a report of.',
    )
    .argument('[url]', "the receiver's address, with its /hooks/<endpoint>")
    .addOption(
      new Option('--event <kind>', 'event kind')
        .choices(['meeting.completed', 'meeting.failed'])
        .default('meeting.completed'),
    )
    .option('--endpoint <name>', 'endpoint whose secret signs', 'default')
    .option('--meeting-id <id>', 'meeting', 'm_test')
    .option('--title <text>', 'meeting title', 'Test meeting')
    .option('--reason <text>', 'failure reason, for meeting.failed', 'test')
    .option('--empty-transcript', 'say that the transcript is empty')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet send --event meeting.failed --meeting-id m_42')
    .action(async (url: string | undefined, options: SendOptions) => {
      const settings = await loadSettings(context, program.opts<{ config?: string }>().config);
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
      finish(answer.ok ? 0 : 1);
      context.write(
        options.json === true
          ? `${JSON.stringify({ url: target, ...answer })}\n`
          : `${target} answered ${answer.status}: ${answer.body}\n`,
      );
    });
}

function defaultTarget(settings: Settings, endpoint: string): string {
  return `${settings.publicUrl ?? formatAddress(settings.host, settings.port)}/hooks/${endpoint}`;
}

function readTarget(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new WrongUse(`${JSON.stringify(text)} is no http or https address.\n`);
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
