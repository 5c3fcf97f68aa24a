import { randomUUID } from 'node:crypto';

import { type Command, Option } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, EXIT_OK, WrongUse } from '../errors.ts';
import { parseDuration } from '../options.ts';
import { findWebhookTargets } from '../service/webhook-options.ts';
import type { Settings } from '../settings/settings.ts';
import { formatDuration, formatJson } from '../terminal/format.ts';
import { cleanText } from '../terminal/text.ts';

interface SendOptions {
  readonly event: string;
  readonly endpoint?: string;
  readonly meetingId: string;
  readonly title?: string;
  readonly reason: string;
  readonly emptyTranscript?: boolean;
  readonly unsigned?: boolean;
  /** Seconds. */
  readonly wait?: number;
  readonly json?: boolean;
}

const TIMEOUT_MS = 10_000;

/** A meeting that does not exist. */
const TEST_MEETING_ID = 'm_test';

/** What n8n's addresses of a trigger begin with, behind a path of n8n's own: published, and while the editor listens. */
const N8N_PATH = /\/(webhook|webhook-test)\/./;

/** `aftermeet send`: signs a test delivery with a secret of the settings and posts it. */
export function addSendCommand(program: Command, context: CommandContext): void {
  program
    .command('send')
    .summary('sign a test delivery and send it to a receiver or to n8n')
    .description(
      'Signs a delivery as the service does, with the secret of the endpoint in these settings, and posts it. ' +
        'Without URL it goes to PUBLIC_URL, or to the receiver on this machine; with WEBHOOK_MASTER_SECRET to a new ' +
        'address /hooks/<endpoint>/<key>, with its own secret. Without --meeting-id, meeting.completed is marked as a ' +
        'test: it is stored, aftermeet deliveries show shows it, and no recipe runs on it. Everything else is as from ' +
        'the service: meeting.failed alerts, and --meeting-id with a meeting that has a report runs its recipes. ' +
        'URL can also be the Production URL or Test URL of an Aftermeet Trigger in n8n: then WEBHOOK_SECRET is the ' +
        'Webhook Secret of its credential.',
    )
    .argument('[url]', "receiver's address, with its /hooks/<endpoint>, or an Aftermeet Trigger's in n8n")
    .addOption(
      new Option('--event <kind>', 'event kind')
        .choices(['meeting.completed', 'meeting.failed'])
        .default('meeting.completed'),
    )
    .option('--endpoint <name>', 'endpoint whose secret signs (default: the one in the address, or default)')
    .option('--meeting-id <id>', 'meeting', TEST_MEETING_ID)
    .option(
      '--title <text>',
      'meeting title (default: that of its report; without --meeting-id "Test meeting")',
    )
    .option('--reason <text>', 'failure reason, for meeting.failed', 'test')
    .option('--unsigned', 'send it unsigned, to an address that accepts this (unsigned: accept)')
    .option(
      '--wait <duration>',
      'wait so long until a worker has taken it; the exit code is 1 if none does',
      parseDuration,
    )
    .option('--empty-transcript', 'say that the transcript is empty')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet send --event meeting.failed --meeting-id m_42\n  aftermeet send --wait 60s\n  aftermeet send http://localhost:5678/webhook-test/…/webhook',
    )
    .action((url: string | undefined, options: SendOptions) => sendDelivery(context, url, options));
}

async function sendDelivery(
  context: CommandContext,
  url: string | undefined,
  options: SendOptions,
): Promise<void> {
  const n8nPath = findN8nPath(url);
  if (n8nPath !== undefined && options.wait !== undefined) {
    throw new WrongUse('--wait asks a receiver. n8n shows by itself whether a workflow has started.\n');
  }
  const { loadSettings } = await import('../settings/load.ts');
  const settings = await loadSettings(context.environment, context.configPath());
  const target = await findTarget(settings, url, options);
  const answer = await post(target, settings.headerPrefix, options);
  if (options.json !== true)
    context.write(cleanText(`${target.url} answered ${answer.status}: ${answer.body}\n`));
  const { waitForWorker } = await import('../operate/wait-for-worker.ts');
  const waited =
    options.wait === undefined || !answer.ok
      ? undefined
      : await waitForWorker(answer.body, options.wait, context);
  context.finish(answer.ok && waited?.isTaken !== false ? EXIT_OK : EXIT_FAILED);
  if (options.json === true)
    context.write(formatJson({ url: target.url, ...answer, ...waited }, { oneLine: true }));
  else if (waited !== undefined)
    context.write(
      waited.isTaken
        ? `A worker has taken it after ${formatDuration(waited.elapsedMs / 1000)}.\n`
        : `No worker has taken it within ${formatDuration(waited.elapsedMs / 1000)}. Is one running? aftermeet worker\n`,
    );
  const advice = n8nPath === undefined ? adviseReceiver(target.url, answer) : adviseN8n(n8nPath, answer);
  if (advice !== undefined) context.writeError(`${advice}\n`);
}

type N8nPath = 'webhook' | 'webhook-test';

function findN8nPath(url: string | undefined): N8nPath | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { pathname } = new URL(url);
  if (pathname.includes('/hooks/')) return undefined;
  const [, found] = N8N_PATH.exec(pathname) ?? [];
  return found === undefined ? undefined : found === 'webhook' ? 'webhook' : 'webhook-test';
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: string;
}

function adviseReceiver(url: string, { status }: Answer): string | undefined {
  const { origin, pathname } = new URL(url);
  if (status !== 404 || pathname.includes('/hooks/')) return undefined;
  return `Use an address of a receiver: ${origin}/hooks/<endpoint>. This address has no /hooks/.`;
}

/** What an Aftermeet Trigger or n8n itself means by its answer. */
function adviseN8n(path: N8nPath, { status, body }: Answer): string | undefined {
  if (status === 401) {
    return `The trigger refused the delivery. WEBHOOK_SECRET must be the Webhook Secret of its credential, with Signed By: The Service. ${path === 'webhook' ? "n8n's log" : 'The editor'} says the reason.`;
  }
  if (status === 404) {
    return path === 'webhook'
      ? 'n8n has no published workflow at this address. Publish the workflow, or send to the Test URL while its editor listens.'
      : 'n8n takes a Test URL only while its editor listens: press "Listen for test event", and send again within two minutes.';
  }
  if (status === 200 && body.includes('"ignored"')) {
    return 'The trigger took the delivery and starts nothing: its Events or Filters leave it out.';
  }
  return undefined;
}

interface Target {
  readonly url: string;
  /** Absent: unsigned. */
  readonly secret?: string;
}

/** Where the delivery goes and what signs it; the secret for `/hooks/<endpoint>/<key>` is that of the key. Throws `WrongUse`. */
async function findTarget(
  settings: Settings,
  url: string | undefined,
  { endpoint, unsigned = false }: SendOptions,
): Promise<Target> {
  if (url !== undefined) {
    checkAddress(url);
    return unsigned ? { url } : { url, secret: await findSecret(settings, url, endpoint) };
  }
  const { formatAddress } = await import('@aftermeet/receiver');
  const { host, port, publicUrl = formatAddress(host, port) } = settings;
  const targets = await findWebhookTargets(settings, publicUrl);
  const found = targets(endpoint ?? 'default', { kind: unsigned ? 'upload' : 'recording' });
  if (!found.ok) throw new WrongUse(`${found.problem}\n`);
  checkAddress(found.url);
  return unsigned ? { url: found.url } : found;
}

function checkAddress(text: string): void {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    // The part before an @ may be a password.
    const shown = text.includes('@') ? 'That' : JSON.stringify(text);
    throw new WrongUse(`${shown} is not an http or https address.\n`);
  }
  const { username, password } = new URL(text);
  if (username === '' && password === '') return;
  throw new WrongUse('The address contains a user or a password, which a delivery cannot use.\n');
}

async function findSecret(
  { endpoints: { byName, masterSecret } }: Settings,
  url: string,
  wanted: string | undefined,
): Promise<string> {
  const [, inAddress = '', key] = /\/hooks\/([^/]+)(?:\/([^/]+))?\/?$/.exec(new URL(url).pathname) ?? [];
  if (masterSecret !== undefined && key !== undefined) {
    const { deriveSecret } = await import('@aftermeet/webhooks');
    return deriveSecret(masterSecret, inAddress, key);
  }
  const isN8n = findN8nPath(url) !== undefined;
  const endpoint = wanted ?? (key === undefined && byName.has(inAddress) ? inAddress : 'default');
  const secret = byName.get(endpoint)?.secrets[0];
  if (secret !== undefined) return secret;
  if (isN8n && wanted === undefined) {
    throw new WrongUse(
      'There is no secret to sign with: set WEBHOOK_SECRET to the Webhook Secret of the credential in n8n.\n',
    );
  }
  if (masterSecret !== undefined && byName.has(endpoint)) {
    throw new WrongUse(
      `With WEBHOOK_MASTER_SECRET alone an address needs a key: …/hooks/${endpoint}/<key>. Without URL a new address is made.\n`,
    );
  }
  throw new WrongUse(
    endpoint === 'default'
      ? "There is no secret to sign with: set WEBHOOK_SECRET to the receiver's.\n"
      : `There is no endpoint ${JSON.stringify(endpoint)} with secrets in aftermeet.yaml.\n`,
  );
}

async function post({ url, secret }: Target, headerPrefix: string, options: SendOptions): Promise<Answer> {
  const { deliveryHeaderNames, signDelivery } = await import('@aftermeet/webhooks');
  const names = deliveryHeaderNames(headerPrefix);
  const now = new Date();
  const body = createBody(options, now);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    [names.event]: options.event,
    [names.delivery]: randomUUID(),
  };
  if (secret !== undefined) {
    const timestampSeconds = Math.floor(now.getTime() / 1000);
    const signed = signDelivery({ secret, timestampSeconds, body });
    headers[names.signature] = signed.signature;
    headers[names.timestamp] = signed.timestamp;
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, {
    method: 'POST',
    body: new Uint8Array(body),
    redirect: 'error',
    signal,
    headers,
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new Error(
      `${new URL(url).origin} did not answer${cause}. Is ${findN8nPath(url) === undefined ? 'the receiver' : 'n8n'} running?`,
      {
        cause: error,
      },
    );
  });
  return { ok: response.ok, status: response.status, body: (await response.text()).slice(0, 1000) };
}

/**
 * The body as in the specification's section "Events". A completed test meeting has a mark, because its report would be
 * looked for in vain, and that would alert.
 */
function createBody(options: SendOptions, now: Date): Buffer {
  const { event, meetingId, reason, emptyTranscript } = options;
  // A past meeting has a title, which its report tells.
  const title = options.title ?? (meetingId === TEST_MEETING_ID ? 'Test meeting' : undefined);
  const details =
    event === 'meeting.completed'
      ? {
          is_transcript_empty: emptyTranscript === true,
          aftermeet_test: meetingId === TEST_MEETING_ID ? true : undefined,
        }
      : { reason };
  return Buffer.from(
    JSON.stringify({
      event,
      meeting_id: meetingId,
      timestamp: now.toISOString(),
      data: { title, ...details },
    }),
  );
}
