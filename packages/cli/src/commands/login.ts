import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_INTERRUPTED, EXIT_KEY_REFUSED, Failure, WrongUse } from '../errors.ts';
import { isLoopback } from '../hosting/admin-access.ts';
import { readPipedText } from '../service/input.ts';
import { withService } from '../service/with-service.ts';
import type { ServiceSettings } from '../settings/settings.ts';
import { formatFacts, formatJson } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

/** `aftermeet login`: stores the address and the key of a service for this user. */
export function addLoginCommand(program: Command, context: CommandContext): void {
  program
    .command('login')
    .summary('store address and key of the service for the commands that call it')
    .description(
      'Asks for the address and the API key of the service, checks them there, and stores them as a profile in the ' +
        'settings folder of this user, which other users cannot read. In a pipe the key is the input. Commands that call ' +
        'the service use the profile where neither the environment nor .env has SERVICE_BASE_URL or SERVICE_API_KEY; ' +
        '--profile comes before both. aftermeet receiver and aftermeet worker use no profile.',
    )
    .option('--url <address>', 'base address of the service')
    .option('--mcp-url <address>', 'address of its MCP endpoint without /mcp, if it is another one')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet login\n' +
        '  aftermeet login --profile work --url https://service.example.com < key.txt\n' +
        '  aftermeet login --url https://service.example.com --mcp-url https://mcp.service.example.com',
    )
    .action(async ({ url, mcpUrl, json }: { url?: string; mcpUrl?: string; json?: boolean }) => {
      const { profileName, readProfiles, storeProfile } = await import('../settings/profiles.ts');
      const { nameProfile, readGivenService } = await import('../settings/service.ts');
      const profile = nameProfile(context);
      if (!profileName.test(profile)) {
        throw new WrongUse('A profile is named by letters, digits, dots, hyphens and underscores.\n');
      }
      const known = readProfiles(context.environment).get(profile);
      const address = url ?? (await askAddress(known?.baseUrl, context));
      // A new key does not move the MCP endpoint of the same service.
      const mcpAddress = mcpUrl ?? (known?.baseUrl === trimSlashes(address) ? known.mcpUrl : undefined);
      const settings = readGivenService(address, await askKey(context), mcpAddress);
      warnOfClearText(settings, context);
      await withService(context, { json, settings }, ({ client, call }) => client.tags.list(call));
      const { baseUrl, mcpUrl: storedMcpUrl } = settings;
      const file = await storeProfile(context.environment, profile, settings);
      if (json === true) context.write(formatJson({ profile, baseUrl, mcpUrl: storedMcpUrl, file }));
      else
        context.write(
          `The service accepts the key. The profile ${profile} is stored in ${cleanLine(file)}.\n`,
        );
    });
}

/** `aftermeet logout`: removes a profile. */
export function addLogoutCommand(program: Command, context: CommandContext): void {
  program
    .command('logout')
    .summary('remove the stored address and key')
    .description(
      'Removes a profile that aftermeet login has stored. The key stays valid: to end it, regenerate it in the settings ' +
        'of the workspace.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  aftermeet logout\n  aftermeet logout --profile work')
    .action(async ({ json }: { json?: boolean }) => {
      const { readProfiles, storeProfile } = await import('../settings/profiles.ts');
      const { nameProfile } = await import('../settings/service.ts');
      const profile = nameProfile(context);
      const isStored = readProfiles(context.environment).has(profile);
      if (isStored) await storeProfile(context.environment, profile, undefined);
      if (json === true) context.write(formatJson({ profile, removed: isStored }));
      else
        context.write(
          isStored ? `The profile ${profile} is removed.\n` : `There is no profile ${cleanLine(profile)}.\n`,
        );
    });
}

/** `aftermeet whoami`: which service the commands call, and where that comes from. */
export function addWhoamiCommand(program: Command, context: CommandContext): void {
  program
    .command('whoami')
    .summary('show which service the commands call, and whether it accepts the key')
    .description(
      'Shows the address, the last four characters of the key, where both come from, and whether the service accepts the ' +
        'key. The exit code is 4 if it refuses the key.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet whoami')
    .action(async ({ json }: { json?: boolean }) => {
      const { requireService } = await import('../settings/service.ts');
      const { baseUrl, mcpUrl, apiKey, profile, source } = requireService(context);
      const facts = { baseUrl, mcpUrl, key: hideKey(apiKey), source, profile };
      const show = (isAccepted: boolean): void => {
        if (json === true) context.write(formatJson({ ...facts, accepted: isAccepted }));
        else {
          const { baseUrl: address, mcpUrl: mcp, ...rest } = facts;
          context.write(formatFacts({ address, mcp, ...rest, accepted: isAccepted ? 'yes' : 'no' }));
        }
      };
      try {
        await withService(context, { json }, ({ client, call }) => client.tags.list(call));
      } catch (error) {
        if (error instanceof Failure && error.facts.exitCode === EXIT_KEY_REFUSED) show(false);
        throw error;
      }
      show(true);
    });
}

/** The key goes to both addresses. */
function warnOfClearText(
  { baseUrl, mcpUrl = baseUrl }: ServiceSettings,
  { writeError }: CommandContext,
): void {
  const hosts = [baseUrl, mcpUrl].map((address) => new URL(address));
  const clear = hosts.filter(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname));
  for (const host of new Set(clear.map(({ hostname }) => hostname))) {
    writeError(`What goes to ${host} is not encrypted, the key too: use https if you can.\n`);
  }
}

function trimSlashes(address: string): string {
  return address.replace(/\/+$/, '');
}

/** Enough to tell keys apart; a short key would be half told. */
function hideKey(apiKey: string): string {
  return apiKey.length < 12 ? '…' : `…${apiKey.slice(-4)}`;
}

async function askAddress(known: string | undefined, { ask }: CommandContext): Promise<string> {
  if (ask === undefined) throw new WrongUse("Give the service's address: --url.\n");
  const answer = await ask({ text: `Address of the service${known === undefined ? '' : ` [${known}]`}: ` });
  if (answer === undefined) throw stopped();
  return answer.trim() === '' ? (known ?? '') : answer.trim();
}

async function askKey(context: CommandContext): Promise<string> {
  if (context.ask === undefined) {
    return (await readPipedText(context, 'Pipe the API key in.')).trim();
  }
  const answer = await context.ask({ text: 'API key (not shown): ', isSecret: true });
  if (answer === undefined) throw stopped();
  return answer.trim();
}

function stopped(): Failure {
  return new Failure({ exitCode: EXIT_INTERRUPTED, code: 'aborted', message: 'Stopped.' });
}
