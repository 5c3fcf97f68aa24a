import { InvalidArgumentError } from 'commander';

const MOST = 1_000_000;

/** How many seconds of the sandbox pass in one of the machine. */
export function parseTimeScale(text: string): number {
  const scale = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(scale > 0 && scale <= MOST))
    throw new InvalidArgumentError(`Expected a number above 0 and up to ${MOST}.`);
  return scale;
}
