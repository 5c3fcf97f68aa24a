/** One budget for the bodies that are under way or wait for the store, over all connections. */
export interface HeldBytes {
  /**
   * False when that many more do not fit; then nothing is taken. `isWhole` when they are a whole body, which is verified
   * at once and only stays when it is genuine.
   */
  reserve(bytes: number, isWhole?: boolean): boolean;
  release(bytes: number): void;
}

/** Of the budget, what is kept for whole bodies. */
const KEPT_SHARE = 1 / 4;

/**
 * `onChange` hears how many bytes more (or fewer) are held.
 *
 * Bodies that come in pieces may not use all of it: anybody can begin thousands and end none, for as long as a request
 * may take, and genuine deliveries would be sent away meanwhile. A usual delivery (1 KB) comes as one piece, so what is
 * kept is for what is genuine and waits for the store. A share for each peer was no answer: a flood has many peers,
 * and behind a proxy everybody is one.
 */
export function createHeldBytes(maxBytes: number, onChange: (bytes: number) => void): HeldBytes {
  const maxForPieces = maxBytes - Math.floor(maxBytes * KEPT_SHARE);
  let held = 0;
  return {
    reserve(bytes, isWhole = false) {
      if (held + bytes > (isWhole ? maxBytes : maxForPieces)) return false;
      held += bytes;
      onChange(bytes);
      return true;
    },
    release(bytes) {
      held -= bytes;
      onChange(-bytes);
    },
  };
}
