// A steady trickle of deliveries, whatever else goes on: one every so often, each to a channel that is idle.
import { setTimeout as pause } from 'node:timers/promises';

import { createInbox } from '../../../../packages/queue/dist/index.js';
import { readNowMs } from '../now.mjs';
import { titleOf, writeAcceptance } from '../samples.mjs';
import { acceptSurely } from './accept-surely.mjs';
import { acceptAll } from './fill.mjs';
import { withBackend } from './with-backend.mjs';

/**
 * Accepts `count` deliveries, one every `everyMs`; `storm`, if there is one, comes all at once after the first few.
 * Resolves with when each was accepted, by its meeting.
 */
export function feed({ queueUrl, namespace, count, everyMs, rooms, storm }) {
  return withBackend({ queueUrl, namespace }, createInbox, async (inbox) => {
    const accepted = [];
    const startedMs = readNowMs();
    const stormAt = Math.min(5, count - 1);
    let breaking;
    for (let index = 0; index < count; index += 1) {
      await pause(Math.max(0, startedMs + index * everyMs - readNowMs()));
      if (index === stormAt && storm !== undefined) breaking = acceptAll(inbox, { namespace, ...storm });
      const meetingId = `m_feed_${index}`;
      await acceptSurely(inbox, writeAcceptance(meetingId, titleOf(index % rooms)));
      accepted.push([meetingId, readNowMs()]);
    }
    await breaking;
    return { accepted };
  });
}
