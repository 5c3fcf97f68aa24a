import type { FoundMeeting, SearchInput } from '@aftermeet/client';
import { type Command, Option } from 'commander';

import { collectList } from '../collect-list.ts';
import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import { parseLimit } from '../parse-limit.ts';
import { parseWhole } from '../parse-whole.ts';
import { resolveTags } from '../service/resolve-tags.ts';
import { searchMeetings } from '../service/search-meetings.ts';
import { withService } from '../service/with-service.ts';
import { formatJson } from '../terminal/format-json.ts';
import { formatMoment } from '../terminal/format-moment.ts';
import { type Column, formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';

interface SearchOptions {
  readonly tag?: string[];
  readonly source?: string[];
  readonly from?: string;
  readonly to?: string;
  readonly author?: string[];
  readonly scope?: string;
  readonly page?: number;
  readonly perPage?: number;
  readonly limit: number;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

const USUAL_LIMIT = 50;
const MOST_PAGES = 1_000_000;
/** Observed to be the most that a service gives at once. */
const USUAL_PER_PAGE = 50;

const columns: readonly Column<FoundMeeting>[] = [
  { title: 'MEETING', read: ({ id }) => id },
  { title: 'START (UTC)', read: ({ startedAt }) => startedAt && formatMoment(startedAt) },
  { title: 'SOURCE', read: ({ source }) => source },
  { title: 'TITLE', read: ({ title }) => title, shrinks: true },
  { title: 'TAGS', read: ({ tags }) => tags.join(', '), shrinks: true },
];

/** `aftermeet search`: the meetings of the workspace. */
export function addSearchCommand(program: Command, context: Context): void {
  program
    .command('search')
    .summary('find meetings')
    .description(
      'Finds meetings by their title, tag, platform, date or author; without anything it lists the meetings of ' +
        'the workspace. Options that take several values take them separated by commas or given again.',
    )
    .argument('[text]', 'text to find in titles')
    .option('--tag <tags>', 'meetings with any of these tags, by name or id', collectList)
    .option('--source <platforms>', 'meetings of these platforms, such as gmeet,zoom', collectList)
    .option('--from <date>', 'meetings of this day or later, such as 2026-07-01')
    .option('--to <date>', 'meetings of this day or earlier')
    .option('--author <authors>', 'meetings of these authors', collectList)
    .option('--scope <scope>', 'where to search, in a word of the service')
    .option('--limit <number>', 'how many to print at most, or all', parseLimit, USUAL_LIMIT)
    .option('--page <number>', 'the page to begin with, from 0', parseWhole('a page', 0, MOST_PAGES))
    .option('--per-page <number>', 'meetings to ask for at once', parseWhole('a number', 1, MOST_PAGES))
    .addOption(new Option('--json', 'print one JSON array').conflicts('jsonl'))
    .option('--jsonl', 'print one JSON object a line, each as soon as it is there')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet search "weekly sync" --from 2026-07-01\n' +
        "  aftermeet search --source zoom --limit all --json | jq -r '.[].id'",
    )
    .action(async (text: string | undefined, options: SearchOptions) => {
      const { json, jsonl, limit } = options;
      const perPage = options.perPage ?? Math.min(limit, USUAL_PER_PAGE);
      const input: SearchInput = {
        perPage,
        ...dropAbsent({
          q: text,
          sources: options.source,
          dateFrom: options.from,
          dateTo: options.to,
          authors: options.author,
          scope: options.scope,
          page: options.page,
        }),
      };
      const found: FoundMeeting[] = [];
      const rest = await withService(context, { json }, async ({ client, call }) => {
        const tagIds =
          options.tag === undefined ? {} : { tagIds: await resolveTags({ client, call }, options.tag) };
        const pages = client.meetings.search({ ...input, ...tagIds }, call);
        return searchMeetings(pages, { limit, perPage }, (meeting) => {
          if (jsonl === true) context.write(formatJson(withoutRaw(meeting), { oneLine: true }));
          else found.push(meeting);
        });
      });
      if (json === true) context.write(formatJson(found.map(withoutRaw)));
      else if (jsonl !== true) {
        context.write(
          found.length === 0 ? 'No meeting found.\n' : formatTable(found, columns, readTableWidth(context)),
        );
      }
      if (rest.isMore) context.writeError(`${describeRest(limit, rest.total)}\n`);
    });
}

function withoutRaw({ raw: _raw, ...meeting }: FoundMeeting): Omit<FoundMeeting, 'raw'> {
  return meeting;
}

function describeRest(limit: number, total: number | undefined): string {
  const count = total === undefined ? `The first ${limit}` : `${limit} of ${total}`;
  return `${count} meetings; --limit all prints all of them.`;
}
