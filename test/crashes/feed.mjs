import { setTimeout as pause } from 'node:timers/promises';

import { nameEndpoint } from './installation.mjs';

const AGAIN_AFTER_MS = 200;
const KEEP_SECONDS = 3600;

/** Stores each meeting's event when its time has come, and again and again while the store is away. */
export async function feed(inbox, meetings, { onAccepted, signal }) {
  const startedMs = performance.now();
  await Promise.all(
    meetings.map(async (meeting) => {
      await pause(Math.max(0, meeting.atMs - (performance.now() - startedMs)), undefined, { signal });
      while (!(await accept(inbox, meeting))) await pause(AGAIN_AFTER_MS, undefined, { signal });
      onAccepted();
    }),
  );
}

async function accept(inbox, meeting) {
  try {
    await inbox.accept({ jobId: meeting.id, job: describeJob(meeting), keepSeconds: KEEP_SECONDS });
    return true;
  } catch {
    // The store is away: whoever delivers comes again.
    return false;
  }
}

function describeJob({ id, team, occurrence }) {
  return {
    endpoint: nameEndpoint(team),
    deliveryId: `d-${id}`,
    body: JSON.stringify({
      event: 'meeting.completed',
      meeting_id: id,
      timestamp: occurrence,
      data: { title: id, is_transcript_empty: false },
    }),
    receivedAt: new Date().toISOString(),
  };
}
