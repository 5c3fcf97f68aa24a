import { platforms, templateSlugs } from '@aftermeet/contract';
import type { Command } from 'commander';

import { writeBashScript } from './bash-script.ts';
import { readCommandTree } from './command-tree.ts';
import { writeFishScript } from './fish-script.ts';
import { writeZshScript } from './zsh-script.ts';

const writers = { bash: writeBashScript, zsh: writeZshScript, fish: writeFishScript } as const;

/** The completion script of a shell, from the commands as they are. */
export function writeCompletion(program: Command, shell: keyof typeof writers): string {
  const suggestions = {
    platform: platforms,
    platforms,
    template: templateSlugs.map(({ slug }) => slug),
  };
  return writers[shell](readCommandTree(program, suggestions));
}
