import { explainRefused, listRecent } from '@aftermeet/receiver';
import { z } from 'zod';

import type { Result } from '../commands/doctor.ts';
import type { CommandContext } from '../context.ts';
import { Failure, WrongUse } from '../errors.ts';
import { findManagement } from '../hosting/admin-access.ts';
import type { Settings } from '../settings/settings.ts';
import { formatIso } from '../terminal/format.ts';
import { isElsewhere } from './remote.ts';
import { askReceiver, isReceiverAddress, readReceiver, type ReceiverAccess } from './run-remote.ts';

const name = 'receiver';

/**
 * Asks the receiver what it refused. Only its process counts that, since its start: a refused delivery leaves nothing in
 * the store. It is the receiver of AFTERMEET_URL, else the one of these settings if it listens on an address of this
 * machine alone: the token crosses no network in clear.
 */
export async function checkReceiver(
  settings: Settings,
  context: CommandContext,
  timeoutMs: number,
): Promise<readonly Result[]> {
  if (isElsewhere(context.environment)) return await checkNamed(context, timeoutMs);
  const url = settings.endpoints.byName.size === 0 ? undefined : findManagement(settings);
  if (url === undefined) return [];
  if (!URL.canParse(url) || !isReceiverAddress(new URL(url)))
    return [
      {
        name,
        result: 'not_set_up',
        found: `the receiver at ${url} is not asked without TLS, so it is not known what was refused`,
        advice: 'Set AFTERMEET_URL to its https:// address, or give it an ADMIN_PORT on 127.0.0.1.',
      },
    ];
  return await checkLocal({ url, token: settings.adminToken }, context, timeoutMs);
}

async function checkNamed(context: CommandContext, timeoutMs: number): Promise<readonly Result[]> {
  try {
    const receiver = readReceiver(context.environment);
    const results = await askRefusals(receiver, context, timeoutMs);
    const found = `what answers at ${receiver.url} is no receiver`;
    return results ?? [{ name, result: 'failed', found, advice: 'Check AFTERMEET_URL.' }];
  } catch (error) {
    if (error instanceof WrongUse) return [{ name, result: 'failed', found: error.message.trim() }];
    if (!(error instanceof Failure)) throw error;
    const { message, advice } = error.facts;
    return [{ name, result: 'failed', found: message, advice }];
  }
}

/** A worker's machine has no receiver, so that is no failure; another program may have its port. */
async function checkLocal(
  receiver: ReceiverAccess,
  context: CommandContext,
  timeoutMs: number,
): Promise<readonly Result[]> {
  try {
    const results = await askRefusals(receiver, context, timeoutMs);
    return results ?? [isAway(`no receiver answers at ${receiver.url}`)];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, advice } = error.facts;
    if (code === 'connection' || code === 'unexpected_status')
      return [isAway(`no receiver answers at ${receiver.url}`)];
    if (code === 'server') return [{ name, result: 'warning', found: message, advice }];
    return [
      {
        name,
        result: 'warning',
        found: `what answers at ${receiver.url} does not take the ADMIN_TOKEN of these settings`,
        advice: 'Set ADMIN_TOKEN to that of the receiver.',
      },
    ];
  }
}

function isAway(why: string): Result {
  return {
    name,
    result: 'not_set_up',
    found: `${why}, so it is not known what was refused`,
    advice: 'Start aftermeet receiver; if it runs elsewhere, set AFTERMEET_URL and ADMIN_TOKEN to ask it.',
  };
}

/** Undefined when the answer is not that of a receiver. Throws a `Failure` where it is none of success. */
async function askRefusals(
  receiver: ReceiverAccess,
  { client, clock = Date.now }: CommandContext,
  timeoutMs: number,
): Promise<readonly Result[] | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await askReceiver(client?.fetch ?? fetch, receiver, '/api/refusals', { signal });
  const { data } = answerSchema.safeParse(await response.json().catch(() => undefined));
  if (data === undefined) return undefined;
  const since = formatIso(data.counts.sinceMs);
  const refused = listRecent(data.counts, clock());
  const nothing = `${new URL(receiver.url).origin}, up since ${since}, has refused no delivery in the last day`;
  if (refused.length === 0) return [{ name, result: 'ok', found: nothing }];
  return refused.map((one) => {
    const { endpoint, why, advice } = explainRefused(one);
    return {
      name,
      result: 'warning',
      found: `${endpoint}: ${one.times} refused since ${since}, the newest at ${formatIso(one.lastMs)}: ${why}`,
      advice: `${advice === undefined ? '' : `${advice}. `}${NOT_REPEATED}`,
    };
  });
}

const NOT_REPEATED =
  'The service does not send them again: aftermeet reconcile --since 2d --dry-run shows which meetings can be queued.';

const answerSchema = z.object({
  counts: z.object({
    sinceMs: z.number(),
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
