import { explainRefused, listRecent } from '@aftermeet/receiver';
import { z } from 'zod';

import type { Result } from '../commands/doctor.ts';
import type { CommandContext } from '../context.ts';
import { Failure, WrongUse } from '../errors.ts';
import { findManagement } from '../hosting/admin-access.ts';
import type { Settings } from '../settings/settings.ts';
import { formatIso } from '../terminal/format.ts';
import { isElsewhere } from './remote.ts';
import { askReceiver, readReceiver } from './run-remote.ts';

const name = 'receiver';

/**
 * Asks the receiver what it refused in the last day. Only the receiver counts that: a refused delivery leaves nothing in
 * the store. It is the receiver of AFTERMEET_URL, else the one of these settings on this machine.
 */
export async function checkReceiver(
  settings: Settings,
  { environment, client, clock = Date.now }: CommandContext,
  timeoutMs: number,
): Promise<readonly Result[]> {
  const isNamed = isElsewhere(environment);
  const local = settings.endpoints.byName.size === 0 ? undefined : findManagement(settings);
  if (!isNamed && local === undefined) return [];
  try {
    const receiver =
      isNamed || local === undefined ? readReceiver(environment) : { url: local, token: settings.adminToken };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await askReceiver(client?.fetch ?? fetch, receiver, '/api/refusals', { signal });
    const answer = answerSchema.safeParse(await response.json().catch(() => undefined));
    const { origin } = new URL(receiver.url);
    if (!answer.success) return [describeOther(origin, isNamed)];
    const refused = listRecent(answer.data.counts, clock());
    if (refused.length === 0)
      return [{ name, result: 'ok', found: `${origin} has refused no delivery in the last day` }];
    return refused.map(describeRefused);
  } catch (error) {
    if (error instanceof WrongUse) return [{ name, result: 'failed', found: error.message.trim() }];
    if (!(error instanceof Failure)) throw error;
    const { code, message, advice } = error.facts;
    if (isNamed) return [{ name, result: 'failed', found: message, advice }];
    const isAbsent = code === 'connection' || code === 'unexpected_status';
    if (isAbsent && local !== undefined) return [describeOther(local, isNamed)];
    return [{ name, result: 'warning', found: message, advice }];
  }
}

const answerSchema = z.object({
  counts: z.object({
    refused: z.array(
      z.object({
        endpoint: z.string(),
        kind: z.string(),
        cause: z.string(),
        times: z.number(),
        lastMs: z.number(),
      }),
    ),
  }),
});

type Refused = z.infer<typeof answerSchema>['counts']['refused'][number];

function describeRefused(refused: Refused): Result {
  const { endpoint, why, advice } = explainRefused(refused);
  const repeats = 'The service does not repeat them: aftermeet reconcile queues their meetings.';
  return {
    name,
    result: 'warning',
    found: `${endpoint}: ${refused.times} refused, the newest at ${formatIso(refused.lastMs)}: ${why}`,
    advice: advice === undefined ? repeats : `${advice}. ${repeats}`,
  };
}

/** A worker's machine has no receiver, so that is no failure. */
function describeOther(origin: string, isNamed: boolean): Result {
  return {
    name,
    result: isNamed ? 'failed' : 'not_set_up',
    found: `no receiver answers at ${origin}, so it is not known what it refused`,
    advice: isNamed
      ? 'Check AFTERMEET_URL.'
      : 'Start aftermeet receiver; if it runs elsewhere, set AFTERMEET_URL and ADMIN_TOKEN to ask it.',
  };
}
