import type { Log } from '@aftermeet/queue';
import type { Endpoints, ReloadResult, RunCommand } from '@aftermeet/receiver';
import type { Command } from 'commander';

import { announce, type CommandContext } from '../context.ts';
import { logTokenNotice, managementRequiresToken } from '../hosting/admin-access.ts';
import { createLog, logFailure, logWarnings } from '../hosting/log.ts';
import { createReload, serveEndpoints } from '../hosting/reload.ts';
import { createCommandRunner } from '../hosting/remote-commands.ts';
import { type Defer, listenAdmin, listenOn, withResources } from '../hosting/resources.ts';
import { createSlackAnswer } from '../hosting/slack-approvals.ts';
import { armStopSignal, onHangUp } from '../hosting/stop-signal.ts';
import { omitUndefined, parsePort } from '../options.ts';
import type { Settings } from '../settings/settings.ts';

interface ReceiverOptions {
  readonly host?: string;
  readonly port?: number;
  readonly json?: boolean;
}

/** Longer than the receiver takes to answer the requests that it holds. */
const STOP_WITHIN_MS = 10_000;

/** `aftermeet receiver`: receives deliveries. Any number of receivers may share a queue. */
export function addReceiverCommand(program: Command, context: CommandContext): void {
  program
    .command('receiver')
    .summary('receive deliveries: verify, store, answer 200')
    .description(
      'Receives deliveries at POST /hooks/<endpoint>, verifies each, stores it in the queue, and only then ' +
        'answers 200. GET /healthz tells whether the process is alive, GET /readyz whether the queue can be reached, ' +
        'GET /metrics counts what arrived.\n\n' +
        'Needs WEBHOOK_SECRET (or endpoints in aftermeet.yaml). QUEUE_URL is the queue that stores deliveries. ' +
        'SIGHUP or POST /api/reload reads the endpoints of aftermeet.yaml again, without a restart. ' +
        'With ADMIN_PORT (and ADMIN_HOST) console, metrics and API answer on that address alone. ' +
        'With REUSE_PORT=1 (Linux, Node 22.12 or newer) several receivers listen on one port.',
    )
    .option('--host <address>', 'address to listen on (default: HOST or 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: PORT or 8080)', parsePort)
    .option('--json', 'print the address as JSON once it listens')
    .addHelpText(
      'after',
      '\nExamples:\n  WEBHOOK_SECRET=$(openssl rand -hex 32) aftermeet receiver --port 8080\n' +
        '  REUSE_PORT=1 aftermeet receiver --config aftermeet.yaml',
    )
    .action((options: ReceiverOptions) => runReceiver(context, options));
}

async function runReceiver(context: CommandContext, options: ReceiverOptions): Promise<void> {
  const { loadSettings, receiverProblems } = await import('../settings/load.ts');
  const { createReloadableEndpoints } = await import('@aftermeet/receiver');
  const { logClearText } = await import('../settings/clear-text.ts');
  const loaded = await loadSettings(context.environment, context.configPath(), receiverProblems);
  const settings = { ...loaded, host: options.host ?? loaded.host, port: options.port ?? loaded.port };

  const log = await createLog(settings.log);
  logWarnings(log);
  const stop = (context.armStop ?? armStopSignal)(STOP_WITHIN_MS);
  const nowMs = context.clock ?? Date.now;
  const served = serveEndpoints(settings, nowMs());
  const reloadable = createReloadableEndpoints(served);
  const reload = createReload({
    environment: context.environment,
    configPath: context.configPath(),
    settings,
    served,
    replace: (endpoints) => reloadable.replace(endpoints),
    log,
    nowMs,
  });
  const ignoreHangUp = onHangUp({ reload: () => void reload(), stop: stop.ask });
  const run = withResources(context.writeError, async (defer) => {
    const runCommand = createCommandRunner(context);
    const parts = { log, endpoints: reloadable.endpoints, reload, runCommand };
    const { url, adminUrl, queue } = await openReceiver(settings, parts, defer);
    announce(context, options.json === true, {
      url,
      hooks: listHooks(settings.endpoints, settings.publicUrl ?? url),
      ...omitUndefined({ admin: adminUrl }),
      console: `${adminUrl ?? settings.publicUrl ?? url}/console`,
      queue,
    });
    logTokenNotice(log, settings);
    logClearText(log, settings);
    await stop.wait();
    log.info({}, 'stopping: answering held requests');
  });
  await logFailure(log, run);
  ignoreHangUp();
}

export interface ReceiverParts {
  readonly log: Log;
  /** Read again for every delivery. */
  readonly endpoints: Endpoints;
  readonly reload: () => Promise<ReloadResult>;
  readonly runCommand?: RunCommand;
}

/** Opens the queue and listens; every resource is deferred as it opens. `queue` is its name without a password. */
export async function openReceiver(
  settings: Settings,
  { log, endpoints, reload, runCommand }: ReceiverParts,
  defer: Defer,
): Promise<{ readonly url: string; readonly adminUrl: string | undefined; readonly queue: string }> {
  const { createInbox, openBackend } = await import('@aftermeet/queue');
  const { createReceiver } = await import('@aftermeet/receiver');
  const { admin, adminToken, host, port, reusePort } = settings;
  const signingSecret = settings.destinations.slack?.signingSecret;
  const backend = defer(await openBackend(settings.queueUrl, { log }));
  const inbox = defer(await createInbox(backend, { log }));
  const receiver = defer(
    createReceiver({
      endpoints,
      inbox,
      log,
      toleranceSeconds: settings.toleranceSeconds,
      headerPrefix: settings.headerPrefix,
      maxBodyBytes: settings.maxBodyBytes,
      trustedProxies: settings.trustedProxies,
      requireToken: managementRequiresToken(settings),
      isAdminApart: admin !== undefined,
      console: {
        publicUrl: settings.publicUrl,
        trustHeader: settings.consoleTrustHeader,
        openData: async () => {
          const { openConsole } = await import('../console/open-console.ts');
          return await openConsole(settings, { backend, log }, defer);
        },
      },
      reload,
      runCommand,
      slack:
        signingSecret === undefined
          ? undefined
          : { signingSecret, answer: createSlackAnswer(settings, { backend, log }, defer) },
      ...omitUndefined({ adminToken }),
    }),
  );
  const { url } = await listenOn((free) => receiver.listen({ host, port: free, reusePort }), port);
  const adminUrl = await listenAdmin(receiver, admin);
  return { url, adminUrl, queue: backend.name };
}

/** The addresses to give the service as `webhook_url`. */
function listHooks({ byName, masterSecret }: Endpoints, publicUrl: string): string {
  const key = masterSecret === undefined ? '' : '/<key>';
  return [...byName]
    .map(([name, { secrets }]) => `${publicUrl}/hooks/${name}${secrets.length > 0 ? '' : key}`)
    .join(' ');
}
