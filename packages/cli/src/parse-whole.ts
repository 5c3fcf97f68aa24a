import { InvalidArgumentError } from 'commander';

/** A reader of whole numbers on the command line. */
export function parseWhole(what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(`Expected ${what} from ${least} to ${most}.`);
    }
    return value;
  };
}
