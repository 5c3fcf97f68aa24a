import type { FoundMeeting, SearchInput, SearchPage } from '@aftermeet/client';
import { type Command, Option } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { collectList, omitUndefined, parseLimit, parseWhole } from '../options.ts';
import { tellWarnings } from '../service/warnings.ts';
import { withService } from '../service/with-service.ts';
import { type Column, formatItems, formatJson, formatMoment, formatTable } from '../terminal/format.ts';
import { resolveTags } from './tags.ts';

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

const DEFAULT_LIMIT = 50;
const MAX_PAGES = 1_000_000;

const columns: readonly Column<FoundMeeting>[] = [
  { title: 'START (UTC)', read: ({ startedAt }) => startedAt && formatMoment(startedAt), leftOut: 1 },
  { title: 'TITLE', read: ({ title }) => title, shrinks: true },
  { title: 'SOURCE', read: ({ source }) => source, leftOut: 3 },
  { title: 'TAGS', read: ({ tags }) => tags.join(', '), shrinks: true, leftOut: 2 },
  { title: 'MEETING', read: ({ id }) => id, isMeeting: true },
];

/** `aftermeet search`: finds meetings of the workspace. */
export function addSearchCommand(program: Command, context: CommandContext): void {
  program
    .command('search')
    .summary('find meetings')
    .description(
      'Finds meetings by title, tag, platform, date or author; without any of them it lists the meetings of the ' +
        'workspace. Options for several values take them separated by commas or repeated.',
    )
    .argument('[text]', 'text to find in titles')
    .option('--tag <tags>', 'meetings with any of these tags, by name or id', collectList)
    .option('--source <platforms>', 'meetings of these platforms, such as gmeet,zoom', collectList)
    .option('--from <date>', 'meetings of this day or later, such as 2026-07-01')
    .option('--to <date>', 'meetings of this day or earlier')
    .option('--author <authors>', 'meetings of these authors', collectList)
    .option('--scope <scope>', "where to search, in the service's words")
    .option('--limit <number>', 'maximum number of meetings to print, or all', parseLimit, DEFAULT_LIMIT)
    .option('--page <number>', 'first page, from 0', parseWhole('a page', 0, MAX_PAGES))
    .option('--per-page <number>', 'meetings per request', parseWhole('a number', 1, MAX_PAGES))
    .addOption(new Option('--json', 'print JSON').conflicts('jsonl'))
    .option('--jsonl', 'print one JSON object a line, each as soon as it arrives')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet search "weekly sync" --from 2026-07-01\n' +
        "  aftermeet search --source zoom --limit all --json | jq -r '.items[].meetingId'",
    )
    .action(async (text: string | undefined, options: SearchOptions) => {
      const { json, jsonl, limit } = options;
      const { perPage } = options;
      const input: SearchInput = {
        ...omitUndefined({
          q: text,
          sources: options.source,
          dateFrom: options.from,
          dateTo: options.to,
          authors: options.author,
          scope: options.scope,
          page: options.page,
          perPage,
        }),
      };
      const found: FoundMeeting[] = [];
      const warnings: string[] = [];
      const rest = await withService(context, { json }, async ({ client, call }) => {
        const tagIds =
          options.tag === undefined ? {} : { tagIds: await resolveTags({ client, call }, options.tag) };
        const pages = client.meetings.search({ ...input, ...tagIds }, call);
        return takeMeetings(collectWarnings(pages, warnings, context), { limit, perPage }, (meeting) => {
          if (jsonl === true) context.writeData(formatJson(viewMeeting(meeting), { oneLine: true }));
          else found.push(meeting);
        });
      });
      if (json === true) context.write(formatItems(found.map(viewMeeting), { total: rest.total, warnings }));
      else if (jsonl !== true && found.length === 0) context.write('No meeting found.\n');
      else if (jsonl !== true) context.write(formatTable(found, columns, tableView(context)));
      if (rest.isMore) {
        const count = rest.total === undefined ? `The first ${limit}` : `${limit} of ${rest.total}`;
        context.writeError(`${count} meetings; --limit all prints all of them.\n`);
      }
    });
}

/** Tells the warnings of each page as it arrives. */
async function* collectWarnings(
  pages: AsyncIterable<SearchPage>,
  warnings: string[],
  context: CommandContext,
): AsyncGenerator<SearchPage, void, undefined> {
  for await (const page of pages) {
    warnings.push(...page.warnings);
    tellWarnings(page.warnings, context);
    yield page;
  }
}

interface SearchRest {
  /** Whether there are, or may be, meetings beyond the limit. */
  readonly isMore: boolean;
  /** The total of all pages, if the service says it. */
  readonly total?: number;
}

/** Takes at most `limit` meetings, and requests no page that is not needed for them. */
export async function takeMeetings(
  pages: AsyncIterable<SearchPage>,
  { limit, perPage }: { readonly limit: number; readonly perPage?: number | undefined },
  take: (meeting: FoundMeeting) => void,
): Promise<SearchRest> {
  let taken = 0;
  /** Meetings on the pages before the first requested one. */
  let before: number | undefined;
  let known: number | undefined;
  for await (const { page, items, total } of pages) {
    before ??= page * (perPage ?? items.length);
    for (const meeting of items) {
      take(meeting);
      taken += 1;
      if (taken < limit) continue;
      if (total === undefined) return { isMore: true };
      return { isMore: total > before + taken, total };
    }
    known = total;
  }
  return { isMore: false, ...omitUndefined({ total: known }) };
}

function viewMeeting({ raw: _raw, id: meetingId, ...meeting }: FoundMeeting) {
  return { meetingId, ...meeting };
}
