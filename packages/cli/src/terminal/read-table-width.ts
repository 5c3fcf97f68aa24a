import type { Context } from '../context.ts';

/** The cells that a table may take; undefined where it is piped on and must stay whole. */
export function readTableWidth({ isTerminal, columns }: Context): number | undefined {
  return isTerminal ? columns?.() : undefined;
}
