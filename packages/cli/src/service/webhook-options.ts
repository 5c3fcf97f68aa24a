import { randomUUID } from 'node:crypto';

import type { ClientOptions } from '@aftermeet/client';
import type { FindWebhookTarget } from '@aftermeet/webhooks';
import { type Command, Option } from 'commander';

import type { CommandContext, Context } from '../context.ts';
import { wrongSettings, WrongUse } from '../errors.ts';
import { fillSecretFiles } from '../settings/secret-files.ts';
import type { Settings } from '../settings/settings.ts';

/** Where the service sends the events of a meeting: an address with a secret, or an endpoint of the settings. */
export interface WebhookOptions {
  readonly endpoint?: string;
  readonly webhookUrl?: string;
  readonly webhookSecretFrom?: string;
  readonly webhookSecret?: string;
  readonly json?: boolean;
}

export interface Webhook {
  /** Fields to add to the operation's input. */
  readonly input: {
    readonly endpoint?: string;
    readonly webhookUrl?: string;
    readonly webhookSecret?: string;
  };
  readonly clientOptions: Pick<ClientOptions, 'webhookTargets'>;
}

const DEFAULT_VARIABLE = 'WEBHOOK_SECRET';

export function addWebhookOptions(command: Command): Command {
  return command
    .option(
      '--endpoint <name>',
      'endpoint of your receiver that gets the events of this meeting: address and secret come from PUBLIC_URL, aftermeet.yaml and the WEBHOOK_ variables',
    )
    .option('--webhook-url <address>', 'address that the service sends the events of this meeting to')
    .option(
      '--webhook-secret-from <variable>',
      `environment variable with the secret that signs them (default: ${DEFAULT_VARIABLE}, if it is set)`,
    )
    .addOption(new Option('--webhook-secret <secret>').hideHelp());
}

/** The webhook of a new meeting. All settings are read only with `--endpoint`. Throws `WrongUse`. */
export async function readWebhook(
  options: WebhookOptions,
  context: CommandContext,
  kind: 'recording' | 'upload',
): Promise<Webhook> {
  const { endpoint } = options;
  if (endpoint === undefined) return { input: readAddress(options, context), clientOptions: {} };
  if (options.webhookUrl !== undefined || options.webhookSecretFrom !== undefined) {
    throw new WrongUse(
      '--endpoint sets address and secret: leave out --webhook-url and --webhook-secret-from.\n',
    );
  }
  const { loadSettings } = await import('../settings/load.ts');
  const settings = await loadSettings(context.environment, context.configPath());
  if (settings.publicUrl === undefined) {
    throw new WrongUse(
      '--endpoint needs PUBLIC_URL: the address at which the service reaches your receiver, such as https://hooks.example.com\n',
    );
  }
  const webhookTargets = await findWebhookTargets(settings, settings.publicUrl);
  const target = webhookTargets(endpoint, { kind });
  if (!target.ok) throw new WrongUse(`${target.problem}\n`);
  return { input: { endpoint, ...readAddress(options, context) }, clientOptions: { webhookTargets } };
}

/** The addresses of the receiver with these settings; `publicUrl` is where the sender reaches it. */
export async function findWebhookTargets(
  { endpoints }: Settings,
  publicUrl: string,
): Promise<FindWebhookTarget> {
  const { createWebhookTargets } = await import('@aftermeet/webhooks');
  const { byName, masterSecret } = endpoints;
  return createWebhookTargets({
    publicUrl,
    endpoints: byName,
    newKey: randomUUID,
    ...(masterSecret === undefined ? {} : { masterSecret }),
  });
}

/** The secret comes from the environment only: other users and the shell's history see a command line. */
function readAddress(options: WebhookOptions, { environment, writeError }: Context): Webhook['input'] {
  if (options.webhookSecret !== undefined) {
    throw new WrongUse(
      'Other users can see a secret on the command line: put it into an environment variable and name that ' +
        'with --webhook-secret-from.\n',
    );
  }
  const { webhookUrl: url, webhookSecretFrom: named } = options;
  if (url === undefined) {
    if (named === undefined) return {};
    throw new WrongUse('--webhook-secret-from needs --webhook-url: without an address nothing is sent.\n');
  }
  const variable = named ?? DEFAULT_VARIABLE;
  // Without its file the secret only seems not to be set, and the events would not be signed.
  const problems = fillSecretFiles(environment).problems.filter(({ setting }) => setting === variable);
  if (problems.length > 0) throw wrongSettings(problems);
  const secret = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  if (secret !== undefined && secret !== '') return { webhookUrl: url, webhookSecret: secret };
  if (named !== undefined) {
    // The name is not repeated: it may be the secret itself, by mistake.
    throw new WrongUse(
      '--webhook-secret-from takes the name of an environment variable, and the one it names is not set.\n',
    );
  }
  if (options.json !== true) {
    writeError(
      `Without a secret the events of this meeting are not signed, and a receiver refuses them: set ${DEFAULT_VARIABLE}, or name a variable with --webhook-secret-from.\n`,
    );
  }
  return { webhookUrl: url };
}
