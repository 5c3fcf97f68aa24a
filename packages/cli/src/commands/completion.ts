import { Argument, type Command } from 'commander';

import { type Lookup, lookupKinds, readCommandTree } from '../completion/command-tree.ts';
import { LOOK_UP_COMMAND, writeBashScript, writeFishScript, writeZshScript } from '../completion/scripts.ts';
import type { CommandContext } from '../context.ts';

const writers = { bash: writeBashScript, zsh: writeZshScript, fish: writeFishScript } as const;

/** `aftermeet completion`: prints a script for completion in a shell. */
export function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .summary('print a script that completes commands in your shell')
    .description(
      'Prints a script that completes commands, options and their values in a shell. Ids of meetings and names of tags are ' +
        'asked for at the service, for at most 1.5 seconds.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nInstall it once:\n' +
        "  bash  echo 'source <(aftermeet completion bash)' >> ~/.bashrc\n" +
        "  zsh   echo 'source <(aftermeet completion zsh)' >> ~/.zshrc   (after the line with compinit)\n" +
        '  fish  aftermeet completion fish > ~/.config/fish/completions/aftermeet.fish',
    )
    .action(async (shell: keyof typeof writers) => {
      const { platforms, templateSlugs } = await import('@aftermeet/contract');
      const suggestions = { platform: platforms, platforms, template: templateSlugs.map(({ slug }) => slug) };
      context.writeData(writers[shell](readCommandTree(program, suggestions)));
    });
  program
    .command(LOOK_UP_COMMAND, { hidden: true })
    .addArgument(new Argument('<kind>').choices(lookupKinds))
    .action(async (kind: Lookup) => {
      const { lookUp } = await import('../completion/look-up.ts');
      const offers = await lookUp(kind, context);
      context.writeData(offers.map(({ word, description }) => `${word}\t${description}\n`).join(''));
    });
}
