import { spawn } from 'node:child_process';

import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { WrongUse } from '../errors.ts';
import { findManagement } from '../hosting/admin-access.ts';
import { MEETING_HELP } from '../service/meeting-id.ts';
import { formatJson } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

/** `aftermeet open`: shows a meeting in the browser. */
export function addOpenCommand(program: Command, context: CommandContext): void {
  program
    .command('open')
    .summary('open a meeting in the browser')
    .description(
      "Opens the meeting's page of the console: what arrived, what was sent, and why something was not. The console is that " +
        'of AFTERMEET_URL, or of the receiver of these settings, which has to run. Without a browser, in a pipe and with ' +
        '--json it prints the address.',
    )
    .argument('<meeting-id>', MEETING_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet open m_42')
    .action(async (meetingId: string, { json }: { json?: boolean }) => {
      const url = `${await findConsole(context)}/console/meetings/${encodeURIComponent(meetingId)}`;
      if (json === true) context.write(formatJson({ meetingId, url }));
      else if (context.isTerminal && hasBrowser(context) && (await openBrowser(url))) {
        context.writeError(`Opened ${cleanLine(url)}\n`);
      } else context.write(`${cleanLine(url)}\n`);
    });
}

/** The report's own address needs the API key, so that a browser would show an error there. */
async function findConsole(context: CommandContext): Promise<string> {
  const { AFTERMEET_URL: elsewhere = '' } = context.environment;
  if (elsewhere !== '') {
    const { isReceiverAddress } = await import('../operate/run-remote.ts');
    const url = URL.canParse(elsewhere) ? new URL(elsewhere) : undefined;
    // An opener starts whatever an address of another kind belongs to.
    if (url !== undefined && isReceiverAddress(url)) return url.origin;
    throw new WrongUse(
      'AFTERMEET_URL is not the https:// address of a receiver (http:// for this machine only), without login.\n',
    );
  }
  if (context.isDev()) throw new WrongUse('aftermeet dev prints the address of its console.\n');
  const { loadSettings } = await import('../settings/load.ts');
  const url = findManagement(await loadSettings(context.environment, context.configPath()));
  if (url === undefined)
    throw new WrongUse('The port is 0: the receiver prints its address when it starts.\n');
  return url;
}

function hasBrowser({ environment }: CommandContext): boolean {
  const { DISPLAY: x11 = '', WAYLAND_DISPLAY: wayland = '' } = environment;
  return process.platform !== 'linux' || x11 !== '' || wayland !== '';
}

/** Without a shell: the address holds what the service has sent. */
function openBrowser(url: string): Promise<boolean> {
  const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
    darwin: ['open', url],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', url],
  };
  const [command, ...words] = openers[process.platform] ?? ['xdg-open', url];
  return new Promise((resolve) => {
    const child = spawn(command, words, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
