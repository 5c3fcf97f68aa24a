import { randomBytes } from 'node:crypto';

import { type Client, createClient } from '@aftermeet/client';
import {
  type Backend,
  claimNamespace,
  createInbox,
  emptyNamespace,
  type Log,
  type NamespaceClaim,
  openBackend,
} from '@aftermeet/queue';
import { type ConsoleData, createReceiver } from '@aftermeet/receiver';
import { createPlanner, standardRecipes, startWorker, type WorkerStep } from '@aftermeet/recipes';
import {
  createSandbox,
  createVendorEmulators,
  type SandboxStep,
  type VendorEmulators,
} from '@aftermeet/sandbox';

import { openConsoleData } from '../console/console-data.ts';
import { EXIT_FAILED, Failure } from '../errors.ts';
import { managementRequiresToken } from '../hosting/admin-access.ts';
import { type Defer, listenAdmin, listenNear, listenOn, DEFAULT_PORTS } from '../hosting/resources.ts';
import { type Settings, WORKSPACE } from '../settings/settings.ts';
import { DEV_NAMESPACE, listDevDestinations } from './dev-store.ts';

/** The running parts of `aftermeet dev`. */
export interface DevStack {
  readonly queueName: string;
  readonly sandboxUrl: string;
  readonly receiverUrl: string;
  /** Where the console is: of the receiver, or of ADMIN_PORT. */
  readonly adminUrl: string;
  /** The address of deliveries, and the secret that signs them. */
  readonly hook: { readonly url: string; readonly secret: string };
  readonly vendors: VendorEmulators;
  readonly client: Client;
}

export interface DevStackOptions {
  readonly settings: Settings;
  /** Whether PORT is set: then a taken port is an error. */
  readonly mustUsePort: boolean;
  readonly log: Log;
  /** A line for each port that is taken, with what is used instead. */
  readonly tell: (line: string) => void;
  readonly observe: (step: SandboxStep | WorkerStep) => void;
}

const SANDBOX_KEY = 'sandbox_key';

/** Starts sandbox, emulators, receiver and worker in this process, on the configured queue. Each is deferred as it opens. */
export async function startDevStack(
  { settings, mustUsePort, log, tell, observe }: DevStackOptions,
  defer: Defer,
): Promise<DevStack> {
  const backend = defer(await openBackend(settings.queueUrl, { namespace: DEV_NAMESPACE, log }));
  const claim = defer(await claimDevQueue(backend, log));
  // Jobs of an earlier run belong to a sandbox that no longer has their meetings.
  await emptyNamespace(backend);

  const secret = settings.endpoints.byName.get('default')?.secrets[0] ?? randomBytes(32).toString('hex');
  const inbox = defer(await createInbox(backend, { log }));
  let openData: (() => Promise<ConsoleData>) | undefined;
  const receiver = defer(
    createReceiver({
      console: {
        openData: async () => {
          if (openData === undefined) throw new Error('still starting');
          return await openData();
        },
      },
      endpoints: { byName: new Map([['default', { secrets: [secret] }]]) },
      inbox,
      log,
      headerPrefix: settings.headerPrefix,
      toleranceSeconds: settings.toleranceSeconds,
      maxBodyBytes: settings.maxBodyBytes,
      trustedProxies: settings.trustedProxies,
      requireToken: managementRequiresToken(settings),
      isAdminApart: settings.admin !== undefined,
      ...(settings.adminToken === undefined ? {} : { adminToken: settings.adminToken }),
    }),
  );
  const listen = (port: number) => receiver.listen({ host: settings.host, port });
  const { url: receiverUrl } = mustUsePort
    ? await listenOn(listen, settings.port)
    : await listenNear(listen, settings.port, (taken, { url }) => {
        tell(`Port ${taken} is taken: the receiver listens at ${url} instead.\n`);
      });
  const adminUrl = (await listenAdmin(receiver, settings.admin)) ?? receiverUrl;
  const hook = { url: `${receiverUrl}/hooks/default`, secret };

  const vendors = defer(await startVendors(tell));
  const sandbox = defer(
    createSandbox({
      apiKey: SANDBOX_KEY,
      headerPrefix: settings.headerPrefix,
      defaultWebhook: hook,
      links: [
        { label: 'Console', url: `${adminUrl}/console` },
        { label: 'Slack', url: vendors.slack.url },
        { label: 'Notion', url: vendors.notion.url },
        { label: 'Mail', url: vendors.mail.controlUrl },
      ],
      observe,
    }),
  );
  const { url: sandboxUrl } = await listenNear(
    (port) => sandbox.listen({ port }),
    DEFAULT_PORTS.sandbox,
    (taken, { url }) => tell(`Port ${taken} is taken: the sandbox listens at ${url} instead.\n`),
  );
  await claim.describe(`${process.pid}@${sandboxUrl}`);
  const client = createClient({ baseUrl: sandboxUrl, apiKey: SANDBOX_KEY });
  const destinations = listDevDestinations({
    slackApiUrl: vendors.slack.apiUrl,
    notionUrl: vendors.notion.url,
    dataSourceId: vendors.notion.dataSourceId,
    smtpUrl: vendors.mail.url,
  });
  const recipes = standardRecipes(destinations);
  const plan = createPlanner({ workspace: WORKSPACE, recipes, endpointRecipes: {}, destinations });
  const parts = { recipes, destinations, endpoints: ['default'], endpointRecipes: {} };
  openData = async () => await openConsoleData({ backend, log, plan, client, ...parts }, defer);
  defer(
    await startWorker({
      backend,
      client,
      service: client,
      recipes,
      destinations,
      policies: settings.policies,
      workspace: WORKSPACE,
      log,
      observe,
    }),
  );
  return {
    queueName: backend.name,
    sandboxUrl,
    receiverUrl,
    adminUrl,
    hook,
    vendors,
    client,
  };
}

/** Two on one queue would take each other's jobs, and the second one would remove those of the first. */
async function claimDevQueue(backend: Backend, log: Log): Promise<NamespaceClaim> {
  const claiming = await claimNamespace(backend, { holder: `${process.pid}@`, log });
  if (claiming.ok) return claiming.claim;
  const [pid, url = ''] = claiming.holder.split('@');
  const page = url === '' ? '' : `, at ${url}/_sandbox`;
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: 'conflict',
    message: `Another aftermeet dev runs on the queue ${backend.name}: process ${pid}${page}.`,
    advice: 'Use that one, or stop it, or set QUEUE_URL to another queue.',
    retryable: true,
  });
}

/** On the default ports, or all on free ones if one of them is taken. */
function startVendors(tell: DevStackOptions['tell']): Promise<VendorEmulators> {
  const { slack, notion, mail, mailControl } = DEFAULT_PORTS;
  return listenNear(
    (port) => createVendorEmulators(port === 0 ? {} : { ports: { slack, notion, mail, mailControl } }),
    slack,
    (taken, vendors) =>
      tell(
        `Port ${taken} is taken: the emulators listen at ${vendors.slack.url}, ${vendors.notion.url}, ${vendors.mail.url} and ${vendors.mail.controlUrl} instead.\n`,
      ),
  );
}
