import { resolve } from 'node:path';

import type { Report } from '@aftermeet/client';
import { type Command, Option } from 'commander';

import type { CommandContext } from '../context.ts';
import { wrongSettings, WrongUse } from '../errors.ts';
import { findMeetingEndpoint, type MeetingEndpoint } from '../operate/meeting-endpoint.ts';
import { collectList } from '../options.ts';
import { withService } from '../service/with-service.ts';
import type { Settings } from '../settings/settings.ts';
import { createPaint, formatJson } from '../terminal/format.ts';
import { cleanLine, pasteWord, quoteWord } from '../terminal/text.ts';
import { notReady } from './report.ts';

/** The kinds of events that the service sends. */
const eventChoices = ['meeting.completed', 'meeting.failed'] as const;

interface PreviewOptions {
  readonly recipe?: readonly string[];
  readonly event: (typeof eventChoices)[number];
  readonly endpoint?: string;
  /** A file; true: one named after the meeting. */
  readonly html?: string | true;
  readonly json?: boolean;
}

/** `aftermeet recipes preview`: shows what would be sent for a meeting. */
export function addPreviewCommand(recipes: Command, context: CommandContext): void {
  recipes
    .command('preview')
    .summary('show what would be sent for a meeting, without sending it')
    .description(
      'Fetches the report of a past meeting and shows what each recipe would make of it: which of its conditions ' +
        'hold, and where its messages go. --html and --json show every message, page, mail and request as it would ' +
        'be sent. Nothing is sent or recorded as sent. A mail that would wait for approval is marked as a draft.',
    )
    .argument('<meeting-id>', 'meeting')
    .option('--recipe <name>', 'only this recipe; may be repeated', collectList)
    .addOption(
      new Option('--event <event>', 'event of the meeting')
        .choices(eventChoices)
        .default('meeting.completed'),
    )
    .option('--endpoint <name>', 'endpoint that receives it (default: the one where the meeting arrived)')
    .option(
      '--html [file]',
      'write a page, readable only by you, that shows each message as its reader sees it',
    )
    .option('--json', 'print the payloads as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet recipes preview m_42\n' +
        '  aftermeet recipes preview m_42 --recipe sales-recap --html\n' +
        '  aftermeet recipes preview m_42 --event meeting.failed --json',
    )
    .action(async (meetingId: string, options: PreviewOptions) => {
      const { loadSettings } = await import('../settings/load.ts');
      const { previewRecipes } = await import('@aftermeet/recipes');
      const { formatPreviews, viewPreview } = await import('../recipes/preview-text.ts');
      const settings = await loadSettings(context.environment, context.configPath());
      const only = await chooseRecipes(settings, options.recipe);
      await checkEndpoint(settings, options.endpoint);
      const report = await fetchReport(context, meetingId, options);
      const arrival =
        options.endpoint === undefined
          ? await findMeetingEndpoint(context, settings, meetingId)
          : { endpoint: options.endpoint, how: `Judged at the endpoint ${options.endpoint}.` };
      const previews = await previewRecipes({
        recipes: settings.recipes,
        only,
        destinations: settings.destinations,
        endpointRecipes: settings.endpointRecipes,
        endpoints: [...settings.endpoints.byName.keys()],
        meetingId,
        eventKind: options.event,
        nowMs: (context.clock ?? Date.now)(),
        report,
        endpoint: arrival.endpoint,
      });
      const title = cleanLine(report?.title ?? '') || meetingId;
      if (options.html !== undefined) {
        const { renderPreviewPage, savePreviewPage } = await import('../recipes/preview-page.ts');
        const isNamed = typeof options.html === 'string';
        const file = resolve(typeof options.html === 'string' ? options.html : defaultFile(meetingId));
        await savePreviewPage(file, renderPreviewPage(title, previews), { isNamed });
        context.write(options.json === true ? formatJson({ file }) : `Written: ${quoteWord(file)}\n`);
      } else if (options.json === true) context.write(formatJson(previews.map(viewPreview)));
      else {
        const text = formatPreviews(previews, createPaint(context.isTerminal));
        context.write(
          `${title}: ${options.event}. Nothing is sent. ${describeArrival(arrival)}\n\n${text}\n` +
            'To see the messages: --html for a page, --json for the payloads.\n',
        );
      }
    });
}

function describeArrival({ endpoint, how }: MeetingEndpoint): string {
  return endpoint === undefined ? `${how} Each recipe is judged at an endpoint that runs it.` : how;
}

/** The names of the recipes to show. All must be right: what one takes can depend on the others. */
async function chooseRecipes(settings: Settings, names: readonly string[] = []): Promise<readonly string[]> {
  const { suggestName } = await import('@aftermeet/contract');
  const { recipeProblems } = await import('../settings/load.ts');
  const { recipes } = settings;
  const known = recipes.map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) {
    const expected = known.length === 0 ? 'there are no recipes' : suggestName(missing, known);
    throw new WrongUse(`There is no recipe ${JSON.stringify(cleanLine(missing))}: ${expected}\n`);
  }
  const problems = recipeProblems(settings);
  if (problems.length > 0) throw wrongSettings(problems);
  return names.length === 0 ? known : names;
}

async function checkEndpoint(
  { endpoints: { byName } }: Settings,
  endpoint: string | undefined,
): Promise<void> {
  if (endpoint === undefined || byName.has(endpoint) || byName.size === 0) return;
  const { suggestName } = await import('@aftermeet/contract');
  const expected = suggestName(endpoint, [...byName.keys()]);
  throw new WrongUse(`There is no endpoint ${JSON.stringify(cleanLine(endpoint))}: ${expected}\n`);
}

/** A failed meeting has no report. */
async function fetchReport(
  context: CommandContext,
  meetingId: string,
  { event, json }: PreviewOptions,
): Promise<Report | undefined> {
  const answer = await withService(context, { json, meetingId }, ({ client, call }) =>
    client.reports.get(meetingId, call),
  );
  if (answer.ready) return answer.report;
  if (event === 'meeting.failed') return undefined;
  throw notReady(
    answer,
    `aftermeet report get ${pasteWord(meetingId)} --wait. To preview a failed meeting, add --event meeting.failed.`,
  );
}

function defaultFile(meetingId: string): string {
  return `aftermeet-preview-${meetingId.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}.html`;
}
