import type { ExplainedRecipe } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { EXIT_FAILED, formatProblem, wrongSettings, WrongUse } from '../errors.ts';
import { MEETING_HELP } from '../service/meeting-id.ts';
import { hideInProblem } from '../settings/hide-secrets.ts';
import { createPaint, formatItems, formatJson, formatTable, type Paint } from '../terminal/format.ts';
import { cleanLine, pasteWord } from '../terminal/text.ts';

interface CheckOptions {
  readonly endpoint?: string;
  readonly options?: boolean;
  readonly json?: boolean;
}

/** `aftermeet recipes check`: explains the recipes, or which of them take a meeting. */
export function addCheckCommand(recipes: Command, context: CommandContext): void {
  recipes
    .command('check')
    .summary('validate the settings file and explain each recipe, or why one takes a meeting')
    .description(
      'Shows which endpoint runs which recipe, and where it sends. Then explains each recipe: when it runs, the options ' +
        'that are set, with warnings about suspicious ones, such as two recipes that send the same to the same place. ' +
        '--options explains every option, with its default. It makes no network calls: aftermeet doctor checks the destinations. The exit code is 1 if a recipe cannot ' +
        'run, 2 if the settings cannot be read.\n\n' +
        'With a meeting, it fetches the report and shows for each recipe whether it takes the meeting at the endpoint ' +
        'where it arrived: every condition, and the value that was found.',
    )
    .argument('[meeting-id]', MEETING_HELP)
    .option('--endpoint <name>', 'endpoint of the meeting (default: the one where it arrived)')
    .option('--options', 'explain every option of each recipe')
    .option('--json', 'print JSON, with every option')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet recipes check\n' +
        '  aftermeet recipes check --options\n' +
        '  aftermeet recipes check m_42\n' +
        '  aftermeet recipes check --config aftermeet.yaml --json',
    )
    .action(async (meetingId: string | undefined, options: CheckOptions) => {
      if (meetingId !== undefined && options.options === true) {
        throw new WrongUse('--options explains the settings: leave the meeting out.\n');
      }
      if (meetingId !== undefined) return await checkMeeting(context, meetingId, options);
      if (options.endpoint !== undefined) throw new WrongUse('--endpoint needs a meeting.\n');
      return await checkSettings(context, options);
    });
}

async function checkSettings(
  context: CommandContext,
  { options: showsAll, json }: CheckOptions,
): Promise<void> {
  const { loadSettings, recipeProblems } = await import('../settings/load.ts');
  const { createPeopleDirectory, explainRecipes } = await import('@aftermeet/recipes');
  const settings = await loadSettings(context.environment, context.configPath());
  if (settings.recipes.length === 0) throw wrongSettings(recipeProblems(settings));
  const { destinations, endpointRecipes } = settings;
  const endpoints = [...settings.endpoints.byName.keys()];
  const explained = explainRecipes({ recipes: settings.recipes, destinations, endpointRecipes, endpoints });
  if (explained.some(({ problems }) => problems.length > 0)) context.finish(EXIT_FAILED);
  if (json === true) {
    const shown = explained.map((one) => ({ ...one, problems: one.problems.map(hideInProblem) }));
    context.write(formatItems(shown));
    return;
  }
  const paint = createPaint(context);
  const overview = formatTable(listPlaces(explained, endpoints), placeColumns, tableView(context));
  const details = explained.map((recipe) => `${formatRecipe(recipe, paint, showsAll === true)}\n`);
  context.write(`${overview}\n${details.join('\n')}`);
  for (const text of createPeopleDirectory(destinations.people).ambiguous) {
    context.write(paint.bad(`\nwarning: people: ${cleanLine(text)} fits two people, so it finds neither\n`));
  }
}

/** One recipe of the endpoints that run the same recipes. */
interface Place {
  /** Empty: those of the line before. */
  readonly endpoint: string;
  readonly recipe?: ExplainedRecipe;
}

const placeColumns = [
  { title: 'ENDPOINT', read: ({ endpoint }: Place) => endpoint },
  { title: 'RECIPE', read: ({ recipe }: Place) => recipe?.name ?? 'runs no recipe' },
  { title: 'SENDS TO', read: ({ recipe }: Place) => recipe && describeTargets(recipe), shrinks: true },
  { title: 'MEETINGS', read: ({ recipe }: Place) => recipe?.selects, shrinks: true },
];

/** Who reads what comes to an endpoint. Endpoints that run the same recipes share their lines. */
function listPlaces(explained: readonly ExplainedRecipe[], configured: readonly string[]): readonly Place[] {
  const endpoints = configured.length === 0 ? ['default'] : configured;
  const groups = new Map<
    string,
    { readonly names: string[]; readonly recipes: readonly ExplainedRecipe[] }
  >();
  for (const endpoint of endpoints) {
    const recipes = explained.filter((recipe) => recipe.endpoints.includes(endpoint));
    const key = JSON.stringify(recipes.map(({ name }) => name));
    const group = groups.get(key) ?? { names: [], recipes };
    group.names.push(endpoint);
    groups.set(key, group);
  }
  const unused = explained.filter((recipe) => recipe.endpoints.length === 0);
  const all = [...groups.values(), ...(unused.length === 0 ? [] : [{ names: ['(none)'], recipes: unused }])];
  return all.flatMap(({ names, recipes }) => {
    const endpoint = names.join(', ');
    if (recipes.length === 0) return [{ endpoint }];
    return recipes.map((recipe, index) => ({ endpoint: index === 0 ? endpoint : '', recipe }));
  });
}

function describeTargets({ destination, targets, options, problems }: ExplainedRecipe): string {
  if (destination === undefined) return problems.length > 0 ? 'cannot run' : 'as its code says';
  if (problems.length > 0) return `${destination}: cannot run`;
  const named = targets.length === 0 ? 'as the report says' : targets.join(', ');
  // The channel of slack-tasks for tasks that reach no owner.
  const fallback = options.find(({ name }) => name === 'fallback')?.value;
  return `${destination}, ${named}${typeof fallback === 'string' ? `, the rest ${fallback}` : ''}`;
}

async function checkMeeting(
  context: CommandContext,
  meetingId: string,
  options: CheckOptions,
): Promise<void> {
  const { describeArrival, describeUnknown, previewMeeting } = await import('../recipes/preview-meeting.ts');
  const { formatPreviews } = await import('../recipes/preview-text.ts');
  const found = await previewMeeting(context, meetingId, options);
  const { title, eventKind, arrival, previews, unknownPeople } = found;
  if (options.json === true) {
    const recipes = previews.map(({ name, use, isWanted, conditions }) => ({
      name,
      use,
      isWanted,
      conditions,
    }));
    context.write(
      formatJson({ meetingId, title, event: eventKind, endpoint: arrival.endpoint, recipes, unknownPeople }),
    );
    return;
  }
  const text = formatPreviews(previews, createPaint(context));
  context.write(
    `${title}: ${eventKind}. ${describeArrival(arrival)}\n\n${text}\n` +
      describeUnknown(unknownPeople) +
      `To see the messages: aftermeet recipes preview ${pasteWord(meetingId)}\n`,
  );
}

/** Without `showsAll` the options that are set, and nothing about what they mean. */
function formatRecipe(recipe: ExplainedRecipe, paint: Paint, showsAll: boolean): string {
  const { name, use, description, runs, endpoints, options, problems, warnings } = recipe;
  const lines = [
    `${paint.strong(cleanLine(name))} uses ${use}`,
    `  ${description}`,
    ...runs.map((line, index) => `  ${index === 0 ? 'Runs when' : '      and'} ${cleanLine(line)}`),
    `  Endpoints: ${endpoints.length === 0 ? 'none' : endpoints.map(cleanLine).join(', ')}`,
    ...(problems.length > 0 ? [] : [`  Sends to: ${cleanLine(describeTargets(recipe))}`]),
    ...options
      .filter(({ value }) => showsAll || value !== undefined)
      .map((option) => {
        const line = `  ${option.name}: ${describeOption(option)}`;
        return showsAll ? line + paint.dim(`  ${cleanLine(option.description)}`) : line;
      }),
    ...problems.map((problem) => paint.bad(`  can't run: ${cleanLine(formatProblem(problem))}`)),
    ...warnings.map((warning) => paint.bad(`  warning: ${cleanLine(warning)}`)),
  ];
  return lines.join('\n');
}

function describeOption({ value, default: fallback }: ExplainedRecipe['options'][number]): string {
  if (value !== undefined) return cleanLine(JSON.stringify(value));
  return fallback === undefined ? 'not set' : `${cleanLine(JSON.stringify(fallback))} (default)`;
}
