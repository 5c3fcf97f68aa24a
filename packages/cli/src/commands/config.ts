import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { formatJson } from '../terminal/format.ts';

/** `aftermeet config`: what `aftermeet.yaml` can hold. */
export function addConfigCommand(program: Command, context: CommandContext): void {
  const config = program
    .command('config')
    .summary('describe aftermeet.yaml for editors')
    .description('Describes the settings file.');
  config
    .command('schema')
    .summary('print the JSON Schema of aftermeet.yaml')
    .description(
      'Prints the JSON Schema (draft 7) of aftermeet.yaml: editors complete and explain its names with it. What a text has ' +
        'to look like is said by aftermeet recipes check, because a text can be a ${VARIABLE}.',
    )
    .option('--json', 'the same: it is JSON')
    .addHelpText(
      'after',
      '\nExample:\n  aftermeet config schema > aftermeet.schema.json\n\n' +
        'First line of aftermeet.yaml, for editors with the YAML language server:\n' +
        '  # yaml-language-server: $schema=./aftermeet.schema.json',
    )
    .action(async () => {
      const { describeSettings } = await import('../settings/json-schema.ts');
      context.writeData(formatJson(describeSettings()));
    });
}
