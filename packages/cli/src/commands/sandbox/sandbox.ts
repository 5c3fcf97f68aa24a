import type { Transitions } from '@aftermeet/sandbox';
import { Help, InvalidArgumentError, type Command } from 'commander';

import type { CommandContext } from '../../context.ts';
import { DEFAULT_PORTS } from '../../hosting/resources.ts';
import { collectList, parsePort, parseWhole } from '../../options.ts';
import { addControlCommands } from './control-commands.ts';
import { collectOptions } from './options.ts';
import type { SandboxCommandOptions } from './run-sandbox.ts';

/** `aftermeet sandbox`: runs the emulators alone; its subcommands control a running sandbox. */
export function addSandboxCommand(program: Command, context: CommandContext): void {
  const sandbox = program
    .command('sandbox')
    .summary('emulate the service, Slack, Notion and a mail server')
    .description(
      'Runs an emulator of the service on port 4010 with the key sandbox_key and its MCP endpoint at /mcp, and ' +
        'emulators of Slack, Notion and a mail server on the next ports. Their state ends with the process. The ' +
        'commands below control a running sandbox.',
    )
    .addHelpText(
      'after',
      '\nIn another terminal, record a meeting, complete it, and read its report:\n' +
        '  export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key\n' +
        '  aftermeet record https://meet.example.com/a --title "My first meeting"\n' +
        '  aftermeet sandbox complete <meeting-id>\n' +
        '  aftermeet report get <meeting-id>',
    );
  const run = addRunCommand(sandbox, context);
  sandbox.configureHelp({
    ...sandbox.configureHelp(),
    visibleOptions: (command) => {
      const own = Help.prototype.visibleOptions.call(sandbox.createHelp(), command);
      return command === sandbox ? [...run.options, ...own] : own;
    },
  });
  addControlCommands(sandbox, context);
}

/**
 * The command without a subcommand. It has its options alone: options of `sandbox` itself would hide those of its
 * subcommands, such as --json and --seed.
 */
function addRunCommand(sandbox: Command, context: CommandContext): Command {
  return sandbox
    .command('run', { isDefault: true, hidden: true })
    .summary('run it')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--port <number>',
      'port of the service; the others follow it, 0 for any free ones',
      parsePort,
      DEFAULT_PORTS.sandbox,
    )
    .option('--key <key>', 'API key', 'sandbox_key')
    .option(
      '--transitions <how>',
      'what moves meetings on: clock, immediate, manual, or polls:3 (one state with every third query)',
      parseTransitions,
      'clock',
    )
    .option(
      '--seed <number>',
      'the same ids and the same random faults at every start',
      parseWhole('a number', 0, 999_999_999),
    )
    .option('--allow-remote', 'deliveries may leave this machine')
    .option(
      '--allow-host <name>',
      'another host name it and its emulators are reached by; may be repeated',
      collectList,
    )
    .option('--public-url <address>', 'base of report_url; default its own address')
    .option('--option <name=value>', 'see aftermeet sandbox options; may be repeated', collectOptions)
    .option('--json', 'print the addresses as JSON once they listen')
    .action(async (options: SandboxCommandOptions) => {
      const { runSandbox } = await import('./run-sandbox.ts');
      await runSandbox(context, options);
    });
}

function parseTransitions(text: string): Transitions {
  if (text === 'manual' || text === 'clock' || text === 'immediate') return text;
  const polls = /^polls:([1-9]\d{0,3})$/.exec(text)?.[1];
  if (polls === undefined) {
    throw new InvalidArgumentError('Expected clock, immediate, manual or polls:<number>.');
  }
  return { polls: Number(polls) };
}
