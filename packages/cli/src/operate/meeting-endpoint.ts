import { existsSync } from 'node:fs';

import type { MeetingIndex } from '@aftermeet/recipes';

import type { CommandContext } from '../context.ts';
import { withResources } from '../hosting/resources.ts';
import type { Settings } from '../settings/settings.ts';

interface OrderedMeeting {
  readonly meetingId: string;
  readonly endpoint: string;
}

/**
 * Remembers which endpoint the deliveries of a new meeting go to, so that `reconcile` sends a lost one nowhere else. The
 * recording is ordered already: a store that can't be reached is told on stderr, and fails nothing.
 */
export async function rememberOrder(
  context: CommandContext,
  { meetingId, endpoint }: OrderedMeeting,
): Promise<void> {
  const { loadSettings } = await import('../settings/load.ts');
  const { queueUrl } = await loadSettings(context.environment, context.configPath());
  const { clock = Date.now } = context;
  try {
    await withMeetings(context, queueUrl, (meetings) =>
      meetings.noteOrder({ meetingId, endpoint, nowMs: clock() }),
    );
  } catch {
    context.writeError(
      `The queue can't be reached, so the endpoint ${endpoint} is not remembered: if the delivery of this meeting is ` +
        'lost, aftermeet reconcile uses reconcile.endpoint for it.\n',
    );
  }
}

/** The endpoint of a meeting, and how it is known; a sentence for people. */
export interface MeetingEndpoint {
  /** Undefined: it is not known. */
  readonly endpoint: string | undefined;
  readonly how: string;
}

/** Finds the endpoint that the deliveries of a meeting came to, or were ordered for. */
export async function findMeetingEndpoint(
  context: CommandContext,
  { queueUrl }: Pick<Settings, 'queueUrl'>,
  meetingId: string,
): Promise<MeetingEndpoint> {
  const nothing = { endpoint: undefined, how: 'No delivery of this meeting is stored.' };
  const { parseQueueUrl } = await import('@aftermeet/queue');
  const address = parseQueueUrl(queueUrl);
  // A look must not start a database.
  if (address.ok && address.kind === 'embedded' && !existsSync(address.directory)) return nothing;
  try {
    return await withMeetings(context, queueUrl, async (meetings) => {
      const [[seen], orders] = await Promise.all([
        meetings.find([meetingId]),
        meetings.findOrders([meetingId]),
      ]);
      const ordered = orders.get(meetingId);
      if (seen !== undefined && seen.endpoint !== '')
        return { endpoint: seen.endpoint, how: `It came to the endpoint ${seen.endpoint}.` };
      if (ordered !== undefined)
        return { endpoint: ordered, how: `It was ordered for the endpoint ${ordered}.` };
      return nothing;
    });
  } catch {
    return {
      endpoint: undefined,
      how: "The queue can't be reached, so the endpoint of this meeting is not known.",
    };
  }
}

async function withMeetings<Result>(
  context: CommandContext,
  queueUrl: string,
  use: (meetings: MeetingIndex) => Promise<Result>,
): Promise<Result> {
  const { openBackend, silentLog } = await import('@aftermeet/queue');
  const { openMeetingIndex } = await import('@aftermeet/recipes');
  return await withResources(context.writeError, async (defer) => {
    const backend = defer(await openBackend(queueUrl, { log: silentLog }));
    return await use(defer(await openMeetingIndex(backend)));
  });
}
