import { createSlackStandIn } from '@aftermeet/sandbox';

import { findMeetingNumber } from '../plan.mjs';
import { slackErrors, slackFaults } from './call-faults.mjs';

/** Starts a Slack with faults. `seen` lists every message that was posted. */
export async function startSlack({ seed, hangs }) {
  const posted = [];
  const slack = createSlackStandIn({
    seed,
    intercept: ({ path, body }) =>
      path.endsWith('/conversations.history') ? answerHistory(posted, body) : 'pass',
  });
  for (const fault of slackFaults(hangs)) slack.faults.add(fault);
  for (const fault of slackErrors) slack.errorFaults.add(fault);
  slack.onReceived((message) => posted.push(message));
  const { url } = await slack.listen();
  // It reads its schemas at the first call.
  await fetch(`${url}/api/auth.test`, { method: 'POST', headers: { authorization: 'Bearer xoxb-crashes' } });
  return {
    url,
    seen: () =>
      posted.map(({ channel, ts, text, metadata }) => ({
        key: metadata?.event_payload.key,
        meeting: findMeetingNumber(text),
        target: channel,
        reference: `${channel}/${ts}`,
      })),
    faults: () => [...slack.faults.list(), ...slack.errorFaults.list()],
  };
}

/**
 * A channel's history, the newest first. The stand-in itself remembers 500 messages of all channels: a look that
 * comes later than that must find its message all the same.
 */
function answerHistory(posted, { channel, oldest = '0', limit = '100', cursor }) {
  const after = Number(cursor ?? 0);
  const matching = posted
    .filter((message) => message.channel === channel && Number(message.ts) > Number(oldest))
    .toReversed();
  const next = after + Number(limit);
  const messages = matching
    .slice(after, next)
    .map(({ ts, text, metadata }) => ({ type: 'message', ts, text, metadata }));
  const nextCursor = next < matching.length ? String(next) : '';
  return {
    status: 200,
    body: {
      ok: true,
      messages,
      has_more: nextCursor !== '',
      response_metadata: { next_cursor: nextCursor },
    },
  };
}
