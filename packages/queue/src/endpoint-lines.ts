import { MAX_PRIORITY } from './bullmq/queues.ts';

/** What decides the place of a delivery, beside what the store knows. */
export interface PlaceRequest {
  /** It comes behind this place: the last one of its line, as far as this process knows. */
  readonly after: number;
  /** From 1, among the deliveries of its endpoint that are written together. */
  readonly rank: number;
}

/** How the lines stood before a write. */
export interface LineState {
  /** The place that is next; 0 where no delivery waited. */
  readonly head: number;
  /** Another number each time that no delivery waited: what was known of the lines before that counts no more. */
  readonly epoch: number;
}

/** The places of deliveries that are written together. */
export interface PlaceRequests {
  readonly epoch: number;
  readonly requests: readonly PlaceRequest[];
}

interface EndpointLines {
  /** By the endpoint of each delivery. */
  request(endpoints: readonly string[]): PlaceRequests;
  /** After the write; `endpoints` has undefined for a delivery that took no place, such as a duplicate. */
  follow(endpoints: readonly (string | undefined)[], asked: PlaceRequests, state: LineState): void;
}

/**
 * The deliveries of an endpoint are a line, and one delivery of each line is worked off after the other: thousands for one
 * endpoint keep those for another waiting for one of them. Which place is next is known to the store. The end of a line is
 * known to the process that made it: the lines of two receivers stand side by side.
 */
export function createEndpointLines(): EndpointLines {
  const ends = new Map<string, number>();
  let known: LineState = { head: 0, epoch: 0 };
  return {
    request(endpoints) {
      const ranks = new Map<string, number>();
      const requests = endpoints.map((endpoint) => {
        const rank = (ranks.get(endpoint) ?? 0) + 1;
        ranks.set(endpoint, rank);
        return { after: Math.max(ends.get(endpoint) ?? 0, known.head - 1), rank };
      });
      return { epoch: known.epoch, requests };
    },
    follow(endpoints, asked, state) {
      if (state.epoch !== known.epoch) ends.clear();
      // A delivery that is tried again has its old place, and is next at once: the lines stay where they were.
      const head = state.epoch === known.epoch ? Math.max(known.head, state.head) : state.head;
      known = { ...state, head };
      for (const [index, endpoint] of endpoints.entries()) {
        const request = asked.requests[index];
        if (endpoint === undefined || request === undefined) continue;
        const place = decidePlace(request, asked.epoch, state);
        ends.set(endpoint, Math.max(ends.get(endpoint) ?? 0, place));
      }
    },
  };
}

/** The rule by which both stores give a place. A line that has been worked off goes on at the place that is next. */
export function decidePlace(
  { after, rank }: PlaceRequest,
  askedEpoch: number,
  { head, epoch }: LineState,
): number {
  const known = askedEpoch === epoch ? after : 0;
  return Math.min((head === 0 ? 0 : Math.max(known, head - 1)) + rank, MAX_PRIORITY);
}
