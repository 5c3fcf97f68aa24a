/** How long another effect of a subject waits for one whose lease is over. */
export const subjectPatienceMs = 10 * 60 * 1000;

/** How soon it looks again meanwhile. */
export const subjectLookMs = 15 * 1000;

/** Why a claim finds that there is nothing to send. */
export const skipCauses = {
  same: 'the same was sent already for another delivery of the meeting',
  older: 'a newer report of the meeting was sent already',
  /** A person said that it was sent. */
  unplaced: 'it was sent already, and it is not known where what was sent could be changed',
} as const;
