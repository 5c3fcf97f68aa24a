import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { WrongUse } from '../wrong-use.ts';

/** The options of a command that may tell the service where to send its events. */
export interface WebhookOptions {
  readonly webhookUrl?: string;
  readonly webhookSecretFrom?: string;
  readonly webhookSecret?: string;
  readonly json?: boolean;
}

export interface Webhook {
  readonly webhook_url?: string;
  readonly webhook_secret?: string;
}

const USUAL_VARIABLE = 'WEBHOOK_SECRET';

export function addWebhookOptions(command: Command): Command {
  return command
    .option('--webhook-url <address>', 'where the service sends the events of this meeting')
    .option(
      '--webhook-secret-from <variable>',
      `environment variable that holds the secret which signs them (default: ${USUAL_VARIABLE}, where it is set)`,
    )
    .addOption(new Option('--webhook-secret <secret>').hideHelp());
}

/**
 * The receiver of a meeting's events. The secret comes from the environment only: what stands on a command line
 * can be read by every user of the machine, and stays in the shell's history.
 */
export function readWebhook(options: WebhookOptions, { environment, writeError }: Context): Webhook {
  if (options.webhookSecret !== undefined) {
    throw new WrongUse(
      'A secret on the command line can be seen by others: put it into an environment variable, and name that ' +
        'with --webhook-secret-from.\n',
    );
  }
  const { webhookUrl: url, webhookSecretFrom: named } = options;
  if (url === undefined) {
    if (named === undefined) return {};
    throw new WrongUse('--webhook-secret-from needs --webhook-url: without an address nothing is sent.\n');
  }
  const variable = named ?? USUAL_VARIABLE;
  const secret = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  if (secret !== undefined && secret !== '') return { webhook_url: url, webhook_secret: secret };
  if (named !== undefined) {
    // The name is not repeated: it may be the secret itself, by mistake.
    throw new WrongUse(
      '--webhook-secret-from takes the name of an environment variable, and the one it names is not set.\n',
    );
  }
  if (options.json !== true) {
    writeError(
      `Without a secret the events of this meeting are not signed, and a receiver refuses them: set ${USUAL_VARIABLE}, or name a variable with --webhook-secret-from.\n`,
    );
  }
  return { webhook_url: url };
}
