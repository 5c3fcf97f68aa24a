/** A moment as text: expressions may give a `Date`, or one of luxon, which n8n hands on as they are. Anything else stays. Pure. */
export function writeMoment(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString();
  if (typeof value !== 'object' || value === null || !('toISO' in value)) return value;
  return typeof value.toISO === 'function' ? (value.toISO() as unknown) : value;
}
