import { deriveCapabilityKey, deriveSecret } from './derive-secret.ts';

/** Where the service sends the events of one meeting, and what it signs them with; or why there is no such place. */
export type WebhookTarget =
  | { readonly ok: true; readonly url: string; readonly secret?: string }
  /** `problem` is a sentence for the operator: what to set. It holds no secret. */
  | { readonly ok: false; readonly problem: string };

/**
 * What the target is for. A recording carries a secret to the service, so its deliveries are signed. The form of an
 * upload has no field for one in the specification, so its deliveries may come without a signature; `name` is the
 * upload's own and gives the same address each time: 1 to 64 letters, digits, `_` and `-`, new by default.
 */
export type WebhookPurpose =
  | { readonly kind: 'recording' }
  | { readonly kind: 'upload'; readonly name?: string };

/** Never throws on what a user can write; an endpoint that is not known is a problem. */
export type FindWebhookTarget = (endpoint: string, purpose: WebhookPurpose) => WebhookTarget;

export interface WebhookTargetOptions {
  /** The receiver's address as the service sees it. */
  readonly publicUrl: string;
  /** The newest secret of each endpoint first. */
  readonly endpoints: ReadonlyMap<
    string,
    { readonly secrets: readonly string[]; readonly unsigned?: 'accept' }
  >;
  /** Gives every meeting an address and a secret of its own. */
  readonly masterSecret?: string;
  /** For one address: 1 to 64 letters, digits, `_` and `-` that was not used before, such as a UUID. */
  readonly newKey: () => string;
}

/**
 * Finds address and secret for what a meeting causes, by the rules of the receiver (`/hooks/<endpoint>[/<key>]`):
 *
 * - with a master secret each recording gets a new address and the secret that belongs to it, else the endpoint's
 *   own address and its newest secret;
 * - an upload gets a capability address, where the endpoint takes what is not signed. The secret of that
 *   address goes along: a service that has a field for it signs all the same, and what is signed is not a hint.
 */
export function createWebhookTargets(options: WebhookTargetOptions): FindWebhookTarget {
  const { endpoints, newKey } = options;
  // Two slashes in a row would be another address, and its deliveries be lost.
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  // Empty is what is left of a variable that is not set.
  const master = options.masterSecret === '' ? undefined : options.masterSecret;
  return (name, purpose) => {
    const endpoint = endpoints.get(name);
    if (endpoint === undefined) return refuse(describeUnknown(name, [...endpoints.keys()]));
    const base = `${publicUrl}/hooks/${name}`;
    const derive = (masterSecret: string, key: string): WebhookTarget => ({
      ok: true,
      url: `${base}/${key}`,
      secret: deriveSecret(masterSecret, name, key),
    });
    if (purpose.kind === 'upload') {
      if (endpoint.unsigned !== 'accept' || master === undefined) return refuse(describeUnsigned(name));
      return derive(master, deriveCapabilityKey(master, name, purpose.name ?? newKey()));
    }
    if (master !== undefined) return derive(master, newKey());
    const [secret = ''] = endpoint.secrets;
    if (secret !== '') return { ok: true, url: base, secret };
    return refuse(`The endpoint ${name} has no secret: give it one, or set WEBHOOK_MASTER_SECRET.`);
  };
}

function refuse(problem: string): WebhookTarget {
  return { ok: false, problem };
}

function describeUnknown(name: string, known: readonly string[]): string {
  const list =
    known.length === 0 ? 'there is none: set WEBHOOK_SECRET or WEBHOOK_MASTER_SECRET' : known.join(', ');
  return `There is no endpoint ${JSON.stringify(name.slice(0, 128))} (${list}).`;
}

function describeUnsigned(name: string): string {
  return (
    "The service's upload form has no field for a secret, so its deliveries may come unsigned, and the endpoint " +
    `${name} takes none of those: set endpoints.${name}.unsigned to accept in aftermeet.yaml, with ` +
    'WEBHOOK_MASTER_SECRET, for the receiver too; or give an address of your own.'
  );
}
