import { platformSpellings } from '@aftermeet/contract/pure';

const spellings: ReadonlyMap<string, string> = new Map(Object.entries(platformSpellings));

/** A platform in lower case and in one of its spellings: two have more than one. Pure. */
export function foldSource(source: string): string {
  const folded = source.trim().toLowerCase();
  return spellings.get(folded) ?? folded;
}
