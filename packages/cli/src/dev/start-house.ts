import { randomBytes } from 'node:crypto';

import { type Client, createClient } from '@aftermeet/client';
import { createInbox, emptyNamespace, type Log, openBackend } from '@aftermeet/queue';
import { createReceiver } from '@aftermeet/receiver';
import { standardRecipes, startWorker, type WorkerStep } from '@aftermeet/recipes';
import {
  createSandbox,
  createVendorStandIns,
  type SandboxStep,
  type VendorStandIns,
} from '@aftermeet/sandbox';

import { requiresToken } from '../hosting/requires-token.ts';
import { listenNear, listenOn } from '../listen-on.ts';
import type { Settings } from '../settings/settings.ts';
import { WORKSPACE } from '../settings/workspace.ts';
import type { Keep } from '../use-parts.ts';
import { usualPorts } from './ports.ts';

export interface House {
  readonly queueName: string;
  readonly sandboxUrl: string;
  readonly receiverUrl: string;
  /** The address that deliveries are sent to, and the secret they are signed with. */
  readonly hook: { readonly url: string; readonly secret: string };
  readonly vendors: VendorStandIns;
  readonly client: Client;
}

export interface HouseOptions {
  readonly settings: Settings;
  /** Whether PORT was set: then it is not replaced by another when it is taken. */
  readonly portWasAskedFor: boolean;
  readonly log: Log;
  readonly observe: (step: SandboxStep | WorkerStep) => void;
}

/** Its own namespace: the worker in here sends to stand-ins and must never take a hosted worker's jobs. */
const NAMESPACE = 'aftermeet_dev';
const SANDBOX_KEY = 'sandbox_key';

/**
 * Starts service, vendors, receiver and worker in this process, on the configured queue. Each part is kept
 * by the caller as it opens, so that a failure halfway closes what is there.
 */
export async function startHouse(
  { settings, portWasAskedFor, log, observe }: HouseOptions,
  keep: Keep,
): Promise<House> {
  const backend = keep(await openBackend(settings.queueUrl, { namespace: NAMESPACE, log }));
  // What an earlier run left behind belongs to a sandbox that has forgotten it.
  await emptyNamespace(backend).catch((error: unknown) => {
    throw new Error(
      `The development queue ${backend.name} can't be emptied: is another aftermeet dev running on it? Stop it, or set QUEUE_URL to another one.`,
      { cause: error },
    );
  });

  const vendors = keep(await startVendors());
  const sandbox = keep(createSandbox({ apiKey: SANDBOX_KEY, headerPrefix: settings.headerPrefix, observe }));
  const { url: sandboxUrl } = await listenNear((port) => sandbox.listen({ port }), usualPorts.sandbox);

  const secret = settings.endpoints.byName.get('default')?.secrets[0] ?? randomBytes(32).toString('hex');
  const inbox = keep(await createInbox(backend, { log }));
  const receiver = keep(
    createReceiver({
      endpoints: { byName: new Map([['default', { secrets: [secret] }]]) },
      inbox,
      log,
      headerPrefix: settings.headerPrefix,
      toleranceSeconds: settings.toleranceSeconds,
      maxBodyBytes: settings.maxBodyBytes,
      trustedProxies: settings.trustedProxies,
      requireToken: requiresToken(settings),
      ...(settings.adminToken === undefined ? {} : { adminToken: settings.adminToken }),
    }),
  );
  const listen = (port: number) => receiver.listen({ host: settings.host, port });
  const { url: receiverUrl } = await (portWasAskedFor ? listenOn : listenNear)(listen, settings.port);
  const client = createClient({ baseUrl: sandboxUrl, apiKey: SANDBOX_KEY });
  const destinations = {
    slack: { token: 'xoxb-sandbox', apiUrl: vendors.slack.apiUrl, channel: 'C0MEETINGS' },
    notion: { token: 'sandbox', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
    mail: {
      smtpUrl: vendors.mail.url,
      from: 'Aftermeet <aftermeet@example.com>',
      to: ['team@example.com'],
    },
  };
  keep(
    await startWorker({
      backend,
      client,
      service: client,
      recipes: standardRecipes(destinations),
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
    hook: { url: `${receiverUrl}/hooks/default`, secret },
    vendors,
    client,
  };
}

/** On the usual ports, or all on free ones when somebody has one of them. */
function startVendors(): Promise<VendorStandIns> {
  const { slack, notion, mail, mailPage } = usualPorts;
  return listenNear(
    (port) => createVendorStandIns(port === 0 ? {} : { ports: { slack, notion, mail, mailPage } }),
    slack,
  );
}
