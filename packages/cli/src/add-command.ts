import type { Command } from 'commander';

import type { Context } from './context.ts';

/** Adds a command to the program; `finish` sets the exit code of one that says itself how it ended. */
export type AddCommand = (program: Command, context: Context, finish: (code: number) => void) => void;
