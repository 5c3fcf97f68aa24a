/** Where a delivery comes in the line of its endpoint, before the store says which place is next. */
export interface LinePlace {
  /** The last place of the line, as far as this process knows. */
  readonly last: number;
  /** From 1, among the deliveries of its endpoint that are written together. */
  readonly rank: number;
}

interface EndpointLines {
  /** For deliveries that are written together, by the names of their endpoints. */
  place(endpoints: readonly string[]): readonly LinePlace[];
  /** After the write; `head` is the place that was next before it, 0 where nothing waited. */
  follow(endpoints: readonly string[], places: readonly LinePlace[], head: number): void;
}

/**
 * The deliveries of an endpoint are a line, and all lines are worked off by turns: thousands of deliveries to one endpoint
 * keep those to another waiting for one turn. The place that is next is known to the store. The end of a line is known to
 * the process that made it: the lines of two receivers stand side by side.
 */
export function createEndpointLines(): EndpointLines {
  const ends = new Map<string, number>();
  return {
    place(endpoints) {
      const ranks = new Map<string, number>();
      return endpoints.map((endpoint) => {
        const rank = (ranks.get(endpoint) ?? 0) + 1;
        ranks.set(endpoint, rank);
        return { last: ends.get(endpoint) ?? 0, rank };
      });
    },
    follow(endpoints, places, head) {
      if (head === 0) ends.clear();
      for (const [index, endpoint] of endpoints.entries()) {
        const place = places[index];
        if (place !== undefined)
          ends.set(endpoint, Math.max(ends.get(endpoint) ?? 0, findPlace(place, head)));
      }
    },
  };
}

/**
 * The place of a delivery. A line that has been worked off goes on at the place that is next; where nothing waits, all
 * begin anew. Both stores have the same rule in their own language.
 */
export function findPlace({ last, rank }: LinePlace, head: number): number {
  return (head === 0 ? 0 : Math.max(last, head - 1)) + rank;
}
