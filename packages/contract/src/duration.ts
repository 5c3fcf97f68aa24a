const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * A duration such as `400ms`, `90s`, `15m`, `1h30m` or `2d` in milliseconds; a number alone is seconds. Undefined for any other
 * text.
 */
export function parseDuration(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return finite(Number(text) * UNIT_MS.s);
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ms|[smhdw])/g)];
  return finite(parts.reduce((sum, [, value, unit]) => sum + Number(value) * unitMs(unit), 0));
}

function unitMs(unit: string | undefined): number {
  return new Map<string | undefined, number>(Object.entries(UNIT_MS)).get(unit) ?? Number.NaN;
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? Math.round(ms) : undefined;
}
