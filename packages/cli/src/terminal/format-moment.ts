/** `2026-07-07 12:00` in UTC; whoever shows it says so. A text that is no time stays as it is. */
export function formatMoment(iso: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? iso.slice(0, 16).replace('T', ' ') : iso;
}
