import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { parseWhole } from '../options.ts';
import { withService } from '../service/with-service.ts';
import { formatItems, formatTable } from '../terminal/format.ts';
import { addImportCommand } from './people-import.ts';
import { takeMeetings } from './search.ts';

const DEFAULT_MEETINGS = 20;
const MAX_MEETINGS = 500;

/** `aftermeet people`: whom reports name, and whom the settings know. */
export function addPeopleCommand(program: Command, context: CommandContext): void {
  const people = program
    .command('people')
    .summary('find people whom no message reaches')
    .description('Compares the people of reports with people: in aftermeet.yaml.');
  addImportCommand(people, context);
  people
    .command('unknown')
    .summary('list who took part lately and is not known')
    .description(
      'Reads the newest reports and lists the people whom no mail, direct message or mention reaches: the report has no ' +
        'address of them, and people: in aftermeet.yaml does not know them, or knows two of that name. Those who took ' +
        'part most often come first. Nothing is sent or changed.',
    )
    .option(
      '--meetings <number>',
      'how many meetings to look at, the newest first',
      parseWhole('a number', 1, MAX_MEETINGS),
      DEFAULT_MEETINGS,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet people unknown --meetings 100')
    .action(async ({ meetings: limit, json }: { meetings: number; json?: boolean }) => {
      const { loadSettings } = await import('../settings/load.ts');
      const { createPeopleDirectory, listUnknown } = await import('@aftermeet/recipes');
      const { destinations } = await loadSettings(context.environment, context.configPath());
      const directory = createPeopleDirectory(destinations.people);
      const counts = new Map<string, number>();
      let read = 0;
      await withService(context, { json }, async ({ client, call, progress }) => {
        const ids: string[] = [];
        await takeMeetings(client.meetings.search({}, call), { limit }, ({ id }) => ids.push(id));
        for (const [index, id] of ids.entries()) {
          progress.show({ kind: 'wait', label: `Reading report ${index + 1} of ${ids.length}` });
          const answer = await client.reports.get(id, call);
          if (!answer.ready) continue;
          read += 1;
          for (const name of listUnknown(answer.report, directory))
            counts.set(name, (counts.get(name) ?? 0) + 1);
        }
      });
      const unknown = [...counts]
        .map(([name, meetings]) => ({ name, meetings }))
        .toSorted((one, other) => other.meetings - one.meetings || one.name.localeCompare(other.name));
      if (json === true) context.write(formatItems(unknown, { reports: read }));
      else if (unknown.length === 0) context.write(`Everybody in ${countReports(read)} is known.\n`);
      else {
        context.write(formatTable(unknown, columns, tableView(context)));
        context.write(
          `\nOf ${countReports(read)}. Name them under people: in aftermeet.yaml, with an address or an id:\n` +
            '  - { name: Ann Lee, email: ann@example.com, slack: U0123ABCD }\n',
        );
      }
    });
}

const columns = [
  { title: 'PERSON', read: ({ name }: { readonly name: string }) => name, shrinks: true },
  { title: 'MEETINGS', read: ({ meetings }: { readonly meetings: number }) => String(meetings) },
];

function countReports(count: number): string {
  return count === 1 ? 'one report' : `${count} reports`;
}
