import { readFileSync } from 'node:fs';

import { Command, Help } from 'commander';

import { commandGroups } from './commands/command-list.ts';
import type { Context } from './context.ts';
import { cleanText } from './terminal/clean-text.ts';

export interface ProgramOptions {
  readonly context: Context;
  /** Whether errors are printed as JSON, so that commander has to keep silent about them. */
  readonly asJson: boolean;
  readonly finish: (code: number) => void;
}

const USUAL_WIDTH = 80;

/** The command with everything below it. Commands take over what is set here, as long as it comes before them. */
export function createProgram({ context, asJson, finish }: ProgramOptions): Command {
  const readWidth = (): number => context.columns?.() ?? USUAL_WIDTH;
  const program = new Command('aftermeet')
    .description('Everything that happens after the meeting: receive, fetch, carry on.')
    .option(
      '--config <file>',
      'settings file (default: aftermeet.yaml where there is one, or AFTERMEET_CONFIG)',
    )
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: context.write,
      // Commander repeats what was typed.
      writeErr: asJson ? () => {} : (text) => context.writeError(cleanText(text)),
      getOutHelpWidth: readWidth,
      getErrHelpWidth: readWidth,
    })
    .configureHelp({
      // Nearly every command has options: saying so each time only hides what is special about it.
      subcommandTerm(command) {
        return Help.prototype.subcommandTerm.call(this, command).replace(' [options]', '');
      },
    })
    // Commander shows the help that was asked for before it looks whether there is such a command.
    .addHelpText('beforeAll', ({ command }) => {
      const [word] = command.args;
      const isCommand = word === undefined || word.startsWith('-') || word === 'help';
      if (!isCommand && command.commands.length > 0) command.error(`error: unknown command '${word}'`);
      return '';
    })
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText(
      'after',
      '\nCommands that call the service read SERVICE_BASE_URL and SERVICE_API_KEY.\n' +
        'Exit codes: 0 ok, 1 failed, 2 wrong use, 130 stopped by Ctrl-C.',
    );
  for (const { heading, commands } of commandGroups) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, context, finish);
  }
  // In the last group.
  return program.helpCommand('help [command]', 'display help for a command');
}

/** The version of this package; all packages carry the same. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
