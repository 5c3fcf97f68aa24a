import type { RunCommand } from '@aftermeet/receiver';

import type { CommandContext } from '../context.ts';
import { EXIT_WRONG_USE } from '../errors.ts';
import { isRemoteCommand, REMOTE_COMMANDS } from '../operate/remote.ts';

/** Runs commands of operators who are elsewhere, with the settings of this receiver. */
export function createCommandRunner(context: CommandContext): RunCommand {
  // Colours are a matter of the terminal there.
  const { AFTERMEET_URL: _url, NO_COLOR: _no, FORCE_COLOR: _force, ...environment } = context.environment;
  const configPath = context.configPath();
  const config = configPath === undefined ? [] : ['--config', configPath];
  return async ({ words, columns }, { write, writeError }) => {
    if (!isRemoteCommand(words)) {
      writeError(`Only these commands run on a receiver: ${REMOTE_COMMANDS.join(', ')}.\n`);
      return EXIT_WRONG_USE;
    }
    const { clock, client } = context;
    return await context.run([...config, ...words], {
      environment,
      write,
      writeError,
      isTerminal: columns !== undefined,
      columns: () => columns,
      ...(clock === undefined ? {} : { clock }),
      ...(client === undefined ? {} : { client }),
    });
  };
}
