import { suggestName } from '@aftermeet/contract';
import type { Endpoints } from '@aftermeet/receiver';
import { z } from 'zod';

import type { SettingProblem } from './problem.ts';
import { durationSetting } from './setting-shapes.ts';

const minuteMs = 60 * 1000;
const dayMs = 24 * 60 * minuteMs;

/** How far back a search for lost deliveries goes where nobody says. */
export const USUAL_SINCE_MS = 2 * dayMs;

/** `reconcile:` of the settings file: how often the worker searches for lost deliveries. */
export const reconcileSchema = z.strictObject({
  every: durationSetting(minuteMs, 7 * dayMs),
  since: durationSetting(minuteMs, 60 * dayMs).default(USUAL_SINCE_MS),
  endpoint: z.string().optional(),
});

export const reconcileKeys = Object.keys(reconcileSchema.shape);

type EndpointChoice =
  | { readonly ok: true; readonly endpoint: string }
  | { readonly ok: false; readonly problem: Omit<SettingProblem, 'setting'> };

/** Whose recipes run for a delivery that never came: the endpoint that was named, `default`, or the only one. */
export function chooseEndpoint({ byName }: Endpoints, wanted?: string): EndpointChoice {
  const names = [...byName.keys()];
  if (wanted !== undefined) {
    if (byName.has(wanted) || (names.length === 0 && wanted === 'default'))
      return { ok: true, endpoint: wanted };
    const found = `the unknown endpoint ${JSON.stringify(wanted)}`;
    const expected = names.length === 0 ? 'an endpoint that is configured' : suggestName(wanted, names);
    return { ok: false, problem: { found, expected } };
  }
  if (names.length === 0 || byName.has('default')) return { ok: true, endpoint: 'default' };
  const [only = 'default', ...others] = names;
  if (others.length === 0) return { ok: true, endpoint: only };
  return { ok: false, problem: { found: 'nothing', expected: `one of ${names.join(', ')}` } };
}
