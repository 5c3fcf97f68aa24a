import { createSlackStandIn } from '@aftermeet/sandbox';

import { findMeetingNumber } from '../plan.mjs';
import { slackErrors, slackFaults } from './call-faults.mjs';

/** Starts a Slack with faults. `seen` lists every message that was posted, and apart from them every reply. */
export async function startSlack({ seed, hangs }) {
  const posted = [];
  const slack = createSlackStandIn({
    seed,
    intercept: ({ path, body }) => {
      if (path.endsWith('/conversations.history')) return answerHistory(posted.filter(isMessage), body);
      if (!path.endsWith('/conversations.replies')) return 'pass';
      return answerHistory(
        posted.filter(({ ts, threadTs }) => (threadTs ?? ts) === body.ts),
        body,
      );
    },
  });
  for (const fault of slackFaults(hangs)) slack.faults.add(fault);
  for (const fault of slackErrors) slack.errorFaults.add(fault);
  slack.onReceived((message) => posted.push(message));
  const { url } = await slack.listen();
  // It reads its schemas at the first call.
  await fetch(`${url}/api/auth.test`, { method: 'POST', headers: { authorization: 'Bearer xoxb-crashes' } });
  return {
    url,
    seen: () => ({
      slack: posted.filter(isMessage).map(describeMessage),
      reply: posted.filter((message) => !isMessage(message)).map((reply) => describeReply(reply, posted)),
    }),
    faults: () => [...slack.faults.list(), ...slack.errorFaults.list()],
  };
}

function isMessage({ threadTs }) {
  return threadTs === undefined;
}

function describeMessage({ channel, ts, text, metadata }) {
  return {
    key: metadata?.event_payload.key,
    meeting: findMeetingNumber(text),
    target: channel,
    reference: `${channel}/${ts}`,
  };
}

/** One that stands below another meeting's message counts as that one's. */
function describeReply(reply, posted) {
  const parent = posted.find(({ channel, ts }) => channel === reply.channel && ts === reply.threadTs);
  const meeting = findMeetingNumber(parent?.text ?? '');
  const described = describeMessage(reply);
  return meeting === described.meeting ? described : { ...described, target: 'below a foreign message' };
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
