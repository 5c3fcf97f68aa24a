import { setTimeout as wait } from 'node:timers/promises';

import { Argument, type Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, Failure, WrongUse } from '../errors.ts';
import type { LeftMember, PeopleSource } from '../recipes/propose-people.ts';
import type { Environment } from '../settings/settings.ts';
import { formatJson } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';
import { writeNewFile } from '../write-new-file.ts';

const TIMEOUT_MS = 30_000;

const places: Readonly<Record<PeopleSource, { name: string; variable: string; need: string }>> = {
  slack: { name: 'Slack', variable: 'SLACK_BOT_TOKEN', need: 'the scopes users:read and users:read.email' },
  notion: {
    name: 'Notion',
    variable: 'NOTION_TOKEN',
    need: 'the capability to read user information including email addresses',
  },
};

interface ImportOptions {
  readonly out?: string;
  readonly json?: boolean;
}

/** `aftermeet people import`: proposes a list of people from the members of a workspace. */
export function addImportCommand(people: Command, context: CommandContext): void {
  people
    .command('import')
    .summary('propose a list of people from the members of Slack or Notion')
    .description(
      'Lists the members of the workspace, without guests and apps, and prints the people of aftermeet.yaml with what they ' +
        'add, as a CSV file that people: { file: people.csv } reads. A member is a known person with the same address, or ' +
        'else of the same name. What is known stays as it is. Nothing is overwritten: read the proposal, then use it.',
    )
    .addArgument(new Argument('<workspace>', 'whose members').choices(['slack', 'notion']))
    .option('--out <file>', 'write the proposal to this new file')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet people import slack --out people.csv')
    .action(async (source: PeopleSource, { out, json = false }: ImportOptions) => {
      if (json && out !== undefined) throw new WrongUse('--json prints everything: leave out --out.\n');
      const { loadSettings } = await import('../settings/load.ts');
      const { proposePeople, writePeopleCsv } = await import('../recipes/propose-people.ts');
      const settings = await loadSettings(withTargets(context.environment), context.configPath());
      const members = await listMembers(source, context);
      const proposed = proposePeople(settings.destinations.people ?? [], members, source);
      const { added, completed, left } = proposed;
      if (json) {
        context.write(formatJson({ members: members.length, ...proposed }));
        return;
      }
      const csv = writePeopleCsv(proposed.people);
      if (out === undefined) context.writeData(csv);
      else {
        // Addresses of people: for the owner alone.
        await writeNewFile(out, csv, 0o600);
        context.write(`Wrote ${out}. Read it, then name it in aftermeet.yaml: people: { file: ${out} }\n`);
      }
      context.writeError(left.map((one) => `${describeLeft(one)}\n`).join(''));
      context.writeError(
        `${members.length} members: ${added} are new, ${completed} known people got their id, ${left.length} are left.\n`,
      );
    });
}

/** Only people are read of the settings: who has just a token needs no place to send to. An empty variable is none. */
function withTargets(environment: Environment): Environment {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  return {
    ...(given['SLACK_BOT_TOKEN'] === undefined ? {} : { SLACK_CHANNEL: 'C0000000000' }),
    ...(given['NOTION_TOKEN'] === undefined ? {} : { NOTION_DATA_SOURCE_ID: '0'.repeat(32) }),
    ...given,
  };
}

async function listMembers(source: PeopleSource, { environment }: CommandContext) {
  const { listNotionMembers, listSlackMembers, readDestinations } = await import('@aftermeet/recipes');
  const { readEnvironment } = await import('../settings/environment.ts');
  const { name, variable, need } = places[source];
  const { values } = readEnvironment(environment);
  const { slack, notion } = readDestinations(values, { hasRecipes: true }).destinations;
  const listed =
    source === 'slack'
      ? slack && (await listSlackMembers(slack, TIMEOUT_MS, wait))
      : notion && (await listNotionMembers(notion, TIMEOUT_MS, wait));
  if (listed === undefined)
    throw new WrongUse(`${variable} is not set: the members of ${name} can't be listed.\n`);
  if (listed.ok) return listed.members;
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: 'forbidden',
    message: `The members of ${name} can't be listed: ${listed.cause}. The app needs ${need}.`,
  });
}

function describeLeft({ member, why }: LeftMember): string {
  const who = `${cleanLine(member.name)} (${cleanLine(member.id)})`;
  return why === 'other_id'
    ? `Left: ${who}: the person has another id in aftermeet.yaml.`
    : `Left: ${who}: the name fits two people. Give them their address in aftermeet.yaml.`;
}
