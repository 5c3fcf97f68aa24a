import { InvalidArgumentError } from 'commander';

const secondsOf: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};

/** A length of time as people write it (`90`, `90s`, `400ms`, `15m`, `1h30m`, `2d`), in seconds. */
export function parseDuration(text: string): number {
  // A number without a unit stands alone.
  if (!/^(?:\d+(?:\.\d+)?|(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+)$/.test(text)) refuse();
  const seconds = [...text.matchAll(/([\d.]+)(ms|[smhdw]?)/g)].reduce(
    (sum, [, value, unit]) => sum + Number(value) * (secondsOf[unit ?? ''] ?? 1),
    0,
  );
  return Number.isFinite(seconds) ? seconds : refuse();
}

function refuse(): never {
  throw new InvalidArgumentError('Expected a time such as 90s, 15m, 1h30m or 2d; a number alone is seconds.');
}
