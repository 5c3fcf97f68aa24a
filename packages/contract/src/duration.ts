const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['', 1000],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/**
 * A duration such as `400ms`, `90s`, `15m`, `1h30m` or `2d` in milliseconds; a number alone is seconds. Undefined for any other
 * text.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?|(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+)$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ms|[smhdw]?)/g)];
  const ms = parts.reduce((sum, [, value, unit = '']) => sum + Number(value) * (UNIT_MS.get(unit) ?? 0), 0);
  return Number.isFinite(ms) ? Math.round(ms) : undefined;
}
