import { shorten } from '../service/control/page/shorten.ts';

/** A name that somebody wrote, to be repeated to them: in quotes, on one line, its beginning only where it is long. */
export function quoteName(name: string): string {
  return `"${shorten(name.replaceAll(/[\p{C}\p{Z}]+/gu, ' '), 40)}"`;
}
