import { createMailStandIn } from '@aftermeet/sandbox';

import { createRandom } from '../../outages/random.mjs';
import { findMeetingNumber } from '../plan.mjs';
import { mailFaults } from './call-faults.mjs';

/**
 * Starts a mail server with faults. `seen` lists every mail that it kept.
 *
 * What goes wrong once a mail is kept hits its first copy only: nobody can ask a mail server, so a mail whose fate is
 * open twice is left to a person, and rightly so.
 */
export async function startMail({ seed }) {
  // What the stand-in would load at its first mails, while they wait.
  await import('mailparser');
  const kept = [];
  const known = new Set();
  const server = createMailStandIn({ seed });
  for (const fault of mailFaults) server.faults.add(fault);
  server.onReceived((mail) => {
    kept.push(mail);
    const meeting = findMeetingNumber(mail.subject) ?? 0;
    // The server looks for a fault right after this.
    const fault = known.has(mail.messageId) ? undefined : drawFault(createRandom(seed + meeting).next());
    if (fault !== undefined) server.faults.add({ ...fault, on: 'accepted', times: 1 });
    known.add(mail.messageId);
  });
  const { url } = await server.listen();
  return {
    url,
    seen: () =>
      kept.map(({ messageId, subject, envelope }) => ({
        key: /^<([0-9a-f]{64})@example\.com>$/.exec(messageId)?.[1],
        meeting: findMeetingNumber(subject),
        target: envelope.to.join(),
        reference: messageId,
      })),
    faults: () => server.faults.list(),
  };
}

function drawFault(chance) {
  if (chance < 0.03) return { kind: 'drop_after' };
  if (chance < 0.04) return { kind: 'cut' };
  if (chance < 0.05) return { kind: 'status', status: 451 };
  if (chance < 0.13) return { kind: 'drip', ms: 20 };
  return undefined;
}
