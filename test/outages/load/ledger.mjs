const FILLER = 'what was said in the meeting, again and again; '.repeat(1400);

/**
 * What was sent, what its sender was told, and what was found in the queue. Everything is known by the body's meeting
 * id, which no other delivery has.
 */
export function createLedger(label, random) {
  const byId = new Map();
  const acknowledged = [];
  return {
    byId,
    acknowledged,
    /** A delivery that nobody has sent before. */
    make() {
      const id = `${label}-${byId.size + 1}`;
      const body = Buffer.from(
        JSON.stringify({
          event: 'meeting.completed',
          meeting_id: id,
          timestamp: new Date().toISOString(),
          data: { title: chooseTitle(random), transcript: FILLER.slice(0, chooseLength(random)) },
        }),
      );
      const delivery = {
        id,
        deliveryId: `d-${id}`,
        body,
        accepted: 0,
        duplicate: 0,
        isGivenUp: false,
        jobs: 0,
        removedJobs: 0,
        told: new Set(),
      };
      byId.set(id, delivery);
      return delivery;
    },
    /** What a 200 said. */
    acknowledge(delivery, said) {
      if (delivery.accepted + delivery.duplicate === 0) acknowledged.push(delivery);
      if (said === 'accepted') delivery.accepted += 1;
      else delivery.duplicate += 1;
    },
  };
}

function chooseLength(random) {
  const one = random.next();
  if (one < 0.002) return 60_000;
  return one < 0.1 ? 4000 : 600;
}

/** Some titles hold what stores have trouble with: NUL, half a surrogate pair, four-byte characters. */
function chooseTitle(random) {
  const one = random.next();
  if (one < 0.01) return 'a\u0000b\ud83d';
  return one < 0.1 ? '週報 🎉' : 'Weekly';
}
