/** Which pairs of sender and recipient have been seen (RFC 6647). */
export interface Greylist {
  /** Whether the pair has to wait: it is new, or came back before `seconds` were over. */
  readonly refuses: (from: string, to: string, seconds: number) => boolean;
  readonly clear: () => void;
}

/** `now` in Unix milliseconds. */
export function createGreylist(now: () => number): Greylist {
  const firstSeen = new Map<string, number>();
  return {
    refuses(from, to, seconds) {
      const pair = `${from.toLowerCase()} ${to.toLowerCase()}`;
      const seen = firstSeen.get(pair);
      if (seen === undefined) firstSeen.set(pair, now());
      return seen === undefined || now() < seen + seconds * 1000;
    },
    clear() {
      firstSeen.clear();
    },
  };
}
