const units = [
  { ms: 86_400_000, name: 'days', least: 2 },
  { ms: 3_600_000, name: 'h', least: 2 },
  { ms: 60_000, name: 'min', least: 2 },
  { ms: 1000, name: 's', least: 1 },
] as const;

/** How long it is, in the unit that says most: `90 s`, `21 h`, `6 days`. In milliseconds, from 0 on; a part of a unit is left out. */
export function describeSpan(ms: number): string {
  const unit = units.find(({ ms: size, least }) => ms >= least * size);
  return unit === undefined ? 'less than 1 s' : `${String(Math.floor(ms / unit.ms))} ${unit.name}`;
}
