import type { ClientOptions } from '@aftermeet/client';
import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { WrongUse } from '../wrong-use.ts';
import type { WebhookOptions } from './webhook-options.ts';

/** The option of a command that may leave address and secret to the settings of the receiver. */
export interface EndpointOptions extends WebhookOptions {
  readonly endpoint?: string;
}

export function addEndpointOption(command: Command): Command {
  return command.option(
    '--endpoint <name>',
    'endpoint of your receiver that gets the events of this meeting: address and secret come from PUBLIC_URL, aftermeet.yaml and the WEBHOOK_ variables',
  );
}

export interface EndpointUse {
  /** What the input of the operation has in addition. */
  readonly input: { readonly endpoint?: string };
  /** What the client is made with in addition. */
  readonly client: Pick<ClientOptions, 'webhookTargets'>;
}

/**
 * What `--endpoint` makes of a call. Only with it all settings are read: a command that only calls the service
 * does not care about the others. Throws `WrongUse` where the settings have no address for the endpoint.
 */
export async function readEndpoint(
  { endpoint, webhookUrl, webhookSecretFrom }: EndpointOptions,
  { environment }: Context,
  { kind, configPath }: { readonly kind: 'recording' | 'upload'; readonly configPath: string | undefined },
): Promise<EndpointUse> {
  if (endpoint === undefined) return { input: {}, client: {} };
  if (webhookUrl !== undefined || webhookSecretFrom !== undefined) {
    throw new WrongUse(
      '--endpoint finds address and secret by itself: leave out --webhook-url and its secret.\n',
    );
  }
  const { loadSettings } = await import('../settings/load-settings.ts');
  const { findWebhookTargets } = await import('./find-webhook-targets.ts');
  const settings = await loadSettings(environment, configPath);
  if (settings.publicUrl === undefined) {
    throw new WrongUse(
      '--endpoint needs PUBLIC_URL: the address at which the service reaches your receiver, such as https://hooks.example.com\n',
    );
  }
  const webhookTargets = findWebhookTargets(settings, settings.publicUrl);
  const target = webhookTargets(endpoint, { kind });
  if (!target.ok) throw new WrongUse(`${target.problem}\n`);
  return { input: { endpoint }, client: { webhookTargets } };
}
