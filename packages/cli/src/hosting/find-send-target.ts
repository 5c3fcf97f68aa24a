import { formatAddress } from '@aftermeet/receiver';
import { deriveSecret } from '@aftermeet/webhooks';

import { findWebhookTargets } from '../service/find-webhook-targets.ts';
import type { Settings } from '../settings/settings.ts';
import { WrongUse } from '../wrong-use.ts';

interface SendTarget {
  readonly url: string;
  /** Absent: not signed. */
  readonly secret?: string;
}

interface SendChoice {
  /** Absent: the one that the address names, or `default`. */
  readonly endpoint?: string;
  readonly unsigned?: boolean;
}

/**
 * Where a test delivery goes, and what signs it. An address that was given is taken as it is; where it ends in
 * `/hooks/<endpoint>/<key>`, the secret is the one of that key. Throws `WrongUse` with what to set.
 */
export function findSendTarget(
  settings: Settings,
  url: string | undefined,
  { endpoint, unsigned = false }: SendChoice,
): SendTarget {
  if (url !== undefined) {
    const target = readTarget(url);
    return unsigned
      ? { url: target }
      : { url: target, secret: findSecret(settings, target, endpoint ?? nameEndpoint(settings, target)) };
  }
  const { host, port, publicUrl = formatAddress(host, port) } = settings;
  const targets = findWebhookTargets(settings, publicUrl);
  const found = targets(endpoint ?? 'default', { kind: unsigned ? 'upload' : 'recording' });
  if (!found.ok) throw new WrongUse(`${found.problem}\n`);
  return unsigned ? { url: readTarget(found.url) } : found;
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

function nameEndpoint({ endpoints }: Settings, url: string): string {
  const [, name] = /\/hooks\/([^/]+)\/?$/.exec(new URL(url).pathname) ?? [];
  return name !== undefined && endpoints.byName.has(name) ? name : 'default';
}

function findSecret({ endpoints }: Settings, url: string, endpoint: string): string {
  const { byName, masterSecret } = endpoints;
  const [, inAddress, key] = /\/hooks\/([^/]+)\/([^/]+)\/?$/.exec(new URL(url).pathname) ?? [];
  if (masterSecret !== undefined && inAddress !== undefined && key !== undefined) {
    return deriveSecret(masterSecret, inAddress, key);
  }
  const secret = byName.get(endpoint)?.secrets[0];
  if (secret !== undefined) return secret;
  if (masterSecret !== undefined && byName.has(endpoint)) {
    throw new WrongUse(
      `With WEBHOOK_MASTER_SECRET alone an address needs a key: …/hooks/${endpoint}/<key>. Without an address one is made.\n`,
    );
  }
  throw new WrongUse(
    endpoint === 'default'
      ? "There is no secret to sign with: set WEBHOOK_SECRET to the receiver's.\n"
      : `There is no endpoint ${JSON.stringify(endpoint)} with secrets in aftermeet.yaml.\n`,
  );
}
