import type { Problem } from '@aftermeet/contract';

import type { FindWebhookTarget, WebhookPurpose } from './client.ts';
import { asFields } from './loose.ts';

/** The fields of an input that say where its events go. */
interface WebhookFields {
  readonly endpoint?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly webhookSecret?: string | undefined;
}

export type FieldsRead<Fields> =
  | { readonly ok: true; readonly fields: Omit<Fields, 'endpoint'> }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Puts `webhookUrl` and `webhookSecret` in the place of `endpoint`; fields without one stay as they are. An
 * endpoint beside an address is a problem: it is not clear which of them is meant.
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
  if (rest.webhookUrl !== undefined || rest.webhookSecret !== undefined) {
    return refuse({
      code: 'invalid',
      expected: 'left out beside webhookUrl or webhookSecret, which it replaces',
    });
  }
  if (typeof endpoint !== 'string') {
    return refuse({ code: 'invalid', expected: "the name of one of the receiver's endpoints" });
  }
  if (find === undefined) {
    return refuse({ code: 'unusable', reason: 'it needs the option webhookTargets of createClient' });
  }
  const target = find(endpoint, purpose);
  if (!target.ok) return refuse({ code: 'unusable', reason: target.problem });
  const { url, secret } = target;
  return {
    ok: true,
    fields: { ...rest, webhookUrl: url, ...(secret === undefined ? {} : { webhookSecret: secret }) },
  };
}

function refuse(problem: Omit<Problem, 'path'>): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem: { ...problem, path: ['endpoint'] } };
}
