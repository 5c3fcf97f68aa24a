import type { StoredDelivery } from '@aftermeet/recipes';

import { formatMoment } from '../terminal/format-moment.ts';

/** So many characters of an id are shown in a list; as many are enough to name it. */
const SHORT_LENGTH = 12;

export function shortenId(id: string): string {
  return id.slice(0, SHORT_LENGTH);
}

/** Milliseconds since 1970 as ISO 8601 in UTC. */
export function formatIso(ms: number): string {
  return new Date(ms).toISOString();
}

export function formatMinute(ms: number): string {
  return formatMoment(formatIso(ms));
}

/** A delivery for `--json`. */
export function viewDelivery({ receivedAtMs, ...delivery }: StoredDelivery) {
  return { ...delivery, receivedAt: formatIso(receivedAtMs) };
}
