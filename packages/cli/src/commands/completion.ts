import { Argument, type Command } from 'commander';

import type { Context } from '../context.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** `aftermeet completion`: what makes a shell complete commands, options and their values. */
export function addCompletionCommand(program: Command, context: Context): void {
  program
    .command('completion')
    .summary('print a script that completes commands in your shell')
    .description('Prints a script that makes a shell complete commands, options and what these take.')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nInstall it once:\n' +
        "  bash  echo 'source <(aftermeet completion bash)' >> ~/.bashrc\n" +
        "  zsh   echo 'source <(aftermeet completion zsh)' >> ~/.zshrc   (after the line with compinit)\n" +
        '  fish  aftermeet completion fish > ~/.config/fish/completions/aftermeet.fish',
    )
    .action(async (shell: Shell) => {
      const { writeCompletion } = await import('../completion/write-completion.ts');
      context.write(writeCompletion(program, shell));
    });
}
