import { readFileSync } from 'node:fs';

import { Command, Help } from 'commander';

import { addApprovalsCommand } from './commands/approvals.ts';
import { addBackupCommand, addRestoreCommand } from './commands/backup.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDeliveriesCommand } from './commands/deliveries.ts';
import { addDevCommand } from './commands/dev.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEffectsCommand } from './commands/effects.ts';
import { addExportCommand } from './commands/export.ts';
import { addForgetCommand } from './commands/forget.ts';
import { addInitCommand } from './commands/init.ts';
import { addLoginCommand, addLogoutCommand, addWhoamiCommand } from './commands/login.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMeetingsCommand } from './commands/meetings.ts';
import { addOpenCommand } from './commands/open.ts';
import { addPauseCommand, addResumeCommand } from './commands/pause.ts';
import { addPeopleCommand } from './commands/people.ts';
import { addReceiverCommand } from './commands/receiver.ts';
import { addRecipesCommand } from './commands/recipes.ts';
import { addReconcileCommand } from './commands/reconcile.ts';
import { addCancelCommand, addRecordCommand, addStatusCommand, addStopCommand } from './commands/record.ts';
import { addReportCommand } from './commands/report.ts';
import { addSandboxCommand } from './commands/sandbox/sandbox.ts';
import { addSearchCommand } from './commands/search.ts';
import { addSendCommand } from './commands/send.ts';
import { addSuppressCommand } from './commands/suppress.ts';
import { addTagsCommand } from './commands/tags.ts';
import { addTemplatesCommand } from './commands/templates.ts';
import { addUploadCommand } from './commands/upload.ts';
import { addWorkerCommand } from './commands/worker.ts';
import { type AddCommand, type CommandContext, type Context, wrapOutput } from './context.ts';
import { asksForJson, EXIT_CODES, EXIT_OK, reportFailure } from './errors.ts';
import { isElsewhere, isRemoteCommand } from './operate/remote.ts';
import { listShortIds } from './service/meeting-id.ts';
import { readEnvFile } from './settings/env-file.ts';
import { fillSecretFiles } from './settings/secret-files.ts';
import { cleanText } from './terminal/text.ts';

/** All commands, with the headings and in the order of `aftermeet --help`. */
const commandGroups: readonly { readonly heading: string; readonly commands: readonly AddCommand[] }[] = [
  {
    heading: 'Start here:',
    commands: [
      addDevCommand,
      addSandboxCommand,
      addInitCommand,
      addLoginCommand,
      addLogoutCommand,
      addWhoamiCommand,
    ],
  },
  {
    heading: 'Recordings and reports:',
    commands: [
      addRecordCommand,
      addStatusCommand,
      addStopCommand,
      addCancelCommand,
      addUploadCommand,
      addReportCommand,
      addTemplatesCommand,
      addExportCommand,
      addSearchCommand,
      addTagsCommand,
      addMcpCommand,
    ],
  },
  {
    heading: 'Hosting:',
    commands: [
      addReceiverCommand,
      addWorkerCommand,
      addSendCommand,
      addRecipesCommand,
      addDoctorCommand,
      addConfigCommand,
      addPeopleCommand,
      addBackupCommand,
      addRestoreCommand,
    ],
  },
  {
    heading: 'Meetings and effects:',
    commands: [
      addMeetingsCommand,
      addOpenCommand,
      addDeliveriesCommand,
      addEffectsCommand,
      addApprovalsCommand,
      addReconcileCommand,
      addPauseCommand,
      addResumeCommand,
      addSuppressCommand,
      addForgetCommand,
    ],
  },
  { heading: 'Shell:', commands: [addCompletionCommand] },
];

const DEFAULT_WIDTH = 80;

/** Runs one command line and returns its exit code, one of `EXIT_CODES`. */
export async function runProgram(words: readonly string[], given: Context): Promise<number> {
  let context = given;
  let exitCode: number = EXIT_OK;
  const asJson = asksForJson(words);
  const finish = (code: number): void => {
    exitCode = code;
  };
  // `help report get` becomes `report get --help`: commander's own `help` knows one level.
  const line = words[0] === 'help' && words.length > 1 ? [...words.slice(1), '--help'] : words;
  try {
    const fromFile = readEnvFile(given.envFile, given.environment);
    // Secrets of files count as variables everywhere; a file that can't be used is told by what reads the variable.
    const environment = fillSecretFiles({ ...fromFile, ...given.environment }).environment;
    context = { ...given, environment };
    const fromEnvFile = new Set(Object.keys(fromFile));
    if (isElsewhere(context.environment) && isRemoteCommand(line)) {
      const { runRemote } = await import('./operate/run-remote.ts');
      return await runRemote(line, context);
    }
    await createProgram({ context, fromEnvFile, asJson, finish }).parseAsync(line, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await reportFailure(error, wrapOutput(context, asJson), asJson);
  }
}

interface ProgramOptions {
  readonly context: Context;
  /** Names of the variables that only a file has. */
  readonly fromEnvFile?: ReadonlySet<string>;
  /** Whether errors are printed as JSON, so that commander must not print them. */
  readonly asJson: boolean;
  readonly finish: (code: number) => void;
}

/** The command with everything below it. Subcommands inherit what is set before they are added. */
export function createProgram({
  context: given,
  fromEnvFile = new Set(),
  asJson,
  finish,
}: ProgramOptions): Command {
  const context = wrapOutput(given, asJson);
  const readWidth = (): number => context.columns?.() ?? DEFAULT_WIDTH;
  const program = new Command('aftermeet')
    .description('Receives meeting events, fetches the reports and sends them to Slack, Notion and e-mail.')
    .option('--config <file>', 'settings file (default: AFTERMEET_CONFIG, or aftermeet.yaml if it exists)')
    .option('--profile <name>', 'address and key of the service that aftermeet login has stored')
    .option('--dev', 'look at the sample meetings of aftermeet dev, not at your own')
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: context.write,
      // Commander repeats the words of the command line.
      writeErr: asJson ? () => {} : (text) => context.writeError(cleanText(text)),
      getOutHelpWidth: readWidth,
      getErrHelpWidth: readWidth,
    })
    .configureHelp({
      // Commander wraps nothing that is narrower than 40 cells by itself.
      minWidthToWrap: 20,
      // Nearly every command has options, so `[options]` says nothing.
      subcommandTerm(command) {
        return Help.prototype.subcommandTerm.call(this, command).replace(' [options]', '');
      },
    })
    // Commander prints help before it checks that the command exists.
    .addHelpText('beforeAll', ({ command }) => {
      const [word] = command.args;
      const isCommand = word === undefined || word.startsWith('-') || word === 'help';
      if (!isCommand && command.commands.length > 0) command.error(`error: unknown command '${word}'`);
      return '';
    })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText(
      'after',
      '\nCommands that call the service use SERVICE_BASE_URL and SERVICE_API_KEY of the environment or of .env, or what\n' +
        'aftermeet login has stored.\n' +
        'Meetings and effects are those of QUEUE_URL; with AFTERMEET_URL and ADMIN_TOKEN those of a receiver elsewhere.\n' +
        `Exit codes: ${EXIT_CODES}.`,
    );
  const commandContext: CommandContext = {
    ...context,
    fromEnvFile,
    writeData: given.write,
    finish,
    profile: () => program.opts<{ profile?: string }>().profile,
    configPath: () => program.opts<{ config?: string }>().config,
    isDev: () => program.opts<{ dev?: boolean }>().dev === true,
    run: runProgram,
  };
  program.hook('preAction', async (_program, command) => {
    const shortIds = listShortIds(command);
    const [group] = readPath(command);
    // The meetings of the sandbox are its own.
    if (shortIds.length === 0 || group === undefined || group === 'sandbox') return;
    const { resolveMeetings } = await import('./service/resolve-meeting.ts');
    await resolveMeetings(shortIds, group, commandContext, asJson);
  });
  for (const { heading, commands } of commandGroups) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, commandContext);
  }
  // In the last group.
  return program.helpCommand('help [command]', 'display help for a command');
}

/** The names on the way to a command, without the program's. */
function readPath(command: Command): readonly string[] {
  return command.parent === null ? [] : [...readPath(command.parent), command.name()];
}

/** The version of this package; all packages have the same. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
