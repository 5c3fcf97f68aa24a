const dayMs = 24 * 60 * 60 * 1000;

/** How long an effect is kept after its last change; `unknown`, `parked` and `sending` until somebody settles them. */
export const retentionMs = {
  sent: 90 * dayMs,
  skipped: 90 * dayMs,
  failed: 30 * dayMs,
  pending: 90 * dayMs,
} as const;
