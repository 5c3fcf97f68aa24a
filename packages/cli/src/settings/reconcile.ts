import { suggestName } from '@aftermeet/contract';
import type { Endpoints } from '@aftermeet/receiver';
import { durationSetting } from '@aftermeet/recipes';
import { z } from 'zod';

import type { SettingProblem } from '../errors.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Default period of a search for lost deliveries. */
export const DEFAULT_SINCE_MS = 2 * DAY_MS;

/** `reconcile:` of the settings file: how often the worker searches for lost deliveries (absent: never), and where to send them. */
export const reconcileSchema = z.strictObject({
  every: durationSetting('1m', '7d').optional().describe('How often; without it never.'),
  since: durationSetting('1m', '60d')
    .default(DEFAULT_SINCE_MS)
    .describe('How far it looks back. Default: 2d.'),
  endpoint: z.string().optional().describe('The endpoint of meetings whose own one is not known.'),
});

type EndpointChoice =
  | { readonly ok: true; readonly endpoint: string }
  | { readonly ok: false; readonly problem: Omit<SettingProblem, 'setting'> };

/** The endpoint for a lost delivery of a meeting whose own one is not known: the named one, or the only one. */
export function chooseEndpoint({ byName }: Endpoints, wanted?: string): EndpointChoice {
  const names = [...byName.keys()];
  if (wanted !== undefined) {
    if (byName.has(wanted) || (names.length === 0 && wanted === 'default'))
      return { ok: true, endpoint: wanted };
    const found = `the unknown endpoint ${JSON.stringify(wanted)}`;
    const expected = names.length === 0 ? 'an endpoint that is configured' : suggestName(wanted, names);
    return { ok: false, problem: { found, expected } };
  }
  if (names.length === 0) return { ok: true, endpoint: 'default' };
  const [only = 'default', ...others] = names;
  if (others.length === 0) return { ok: true, endpoint: only };
  const expected = `one of ${names.join(', ')}: the endpoint of meetings whose own one is not known`;
  return { ok: false, problem: { found: 'nothing', expected } };
}
