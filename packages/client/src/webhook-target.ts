import type { Problem } from '@aftermeet/contract';

import { asFields } from './report/loose.ts';

/** Where the service sends the events of one meeting, and what it signs them with. */
export type WebhookTarget =
  | { readonly ok: true; readonly url: string; readonly secret?: string }
  /** `problem` is a sentence without secrets: what is missing. */
  | { readonly ok: false; readonly problem: string };

/** A recording, or an upload of this name: the same name must give the same address, for an upload goes on later. */
export type WebhookPurpose =
  | { readonly kind: 'recording' }
  | { readonly kind: 'upload'; readonly name: string };

/** Finds address and secret of an endpoint of one's own receiver; `createWebhookTargets` of the webhooks package makes one. */
export type FindWebhookTarget = (endpoint: string, purpose: WebhookPurpose) => WebhookTarget;

/** The fields of an input that say where its events go. */
interface WebhookFields {
  readonly endpoint?: string | undefined;
  readonly webhook_url?: string | undefined;
  readonly webhook_secret?: string | undefined;
}

export type FieldsRead<Fields> =
  | { readonly ok: true; readonly fields: Omit<Fields, 'endpoint'> }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Puts `webhook_url` and `webhook_secret` in the place of `endpoint`; fields without one stay as they are. An
 * endpoint beside an address of its own is a problem: nobody knows which of them is meant.
 */
export function fillWebhook<Fields extends WebhookFields>(
  fields: Fields,
  purpose: WebhookPurpose,
  find: FindWebhookTarget | undefined,
): FieldsRead<Fields> {
  // What is no input at all is refused where its fields are checked.
  if (asFields(fields) === undefined) return { ok: true, fields };
  const { endpoint, ...rest } = fields;
  if (endpoint === undefined) return { ok: true, fields: rest };
  if (rest.webhook_url !== undefined || rest.webhook_secret !== undefined) {
    return refuse('must not be given together with webhook_url or webhook_secret, which it stands for');
  }
  if (typeof endpoint !== 'string') return refuse("must be the name of one of the receiver's endpoints");
  if (find === undefined) return refuse('needs the option webhookTargets of createClient');
  const target = find(endpoint, purpose);
  if (!target.ok) return refuse(`can not be used: ${target.problem}`);
  const { url, secret } = target;
  return {
    ok: true,
    fields: { ...rest, webhook_url: url, ...(secret === undefined ? {} : { webhook_secret: secret }) },
  };
}

function refuse(message: string): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem: { field: 'endpoint', message } };
}
