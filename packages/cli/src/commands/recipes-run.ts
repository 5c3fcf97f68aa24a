import type { RecipeRun } from '@aftermeet/recipes';
import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { WrongUse } from '../errors.ts';
import { formatMinute, type Operator, shortenId, withOperator } from '../operate/operator.ts';
import { withService } from '../service/with-service.ts';
import { WORKSPACE } from '../settings/settings.ts';
import { formatIso, formatJson } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

interface RunOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `aftermeet recipes run`: sends a digest now. */
export function addRunCommand(recipes: Command, context: CommandContext): void {
  recipes
    .command('run')
    .summary('send a digest now, instead of waiting for its time')
    .description(
      'Runs a recipe that has a schedule, such as email-digest, now: for the last day or week until this moment. A ' +
        'worker does the sending. Each run sends again. The runs of the schedule stay as they are. --dry-run asks the ' +
        'service for the reports and lists the meetings that it would include.',
    )
    .argument('<recipe>', 'name of a recipe with a schedule')
    .option('--dry-run', 'list the meetings and the recipients, and send nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet recipes run sales-digest --dry-run\n  aftermeet recipes run sales-digest',
    )
    .action(async (name: string, { dryRun = false, json = false }: RunOptions) => {
      // Before a store is opened, or made.
      const recipe = await findScheduled(name, context);
      const { planRun } = await import('@aftermeet/recipes');
      await withOperator(context, async (operator) => {
        const run = planRun(recipe, { workspace: WORKSPACE, clock: operator.clock });
        if (run === undefined) throw runsByMeetings(name);
        const meetings = dryRun ? await listMeetings(context, run, operator) : undefined;
        if (!dryRun) await operator.queue.addEffects(run.effects.map((job) => ({ job })));
        if (json) context.write(formatJson({ dryRun, ...viewRun(run), ...(meetings && { meetings }) }));
        else context.write(await formatRun(run, meetings));
      });
    });
}

/** The recipe of these settings with this name. Throws `WrongUse` if there is none, or if it has no schedule. */
async function findScheduled(name: string, context: CommandContext): Promise<RecipeRun['recipe']> {
  const { loadSettings, recipeProblems } = await import('../settings/load.ts');
  const { bindRecipes } = await import('@aftermeet/recipes');
  const settings = await loadSettings(context.environment, context.configPath(), recipeProblems);
  const bound = bindRecipes(settings.recipes, settings.destinations, settings.endpointRecipes);
  const recipe = bound.find((each) => each.name === name);
  if (recipe?.schedule !== undefined) return recipe;
  if (recipe !== undefined) throw runsByMeetings(name);
  const { suggestName } = await import('@aftermeet/contract');
  const names = bound.filter(({ schedule }) => schedule !== undefined).map((each) => each.name);
  const able = names.length === 0 ? 'no recipe of these settings has one' : suggestName(name, names);
  throw new WrongUse(`There is no recipe ${JSON.stringify(cleanLine(name))} with a schedule: ${able}\n`);
}

function runsByMeetings(name: string): WrongUse {
  return new WrongUse(
    `The recipe ${JSON.stringify(cleanLine(name))} runs when a meeting ends, not by a schedule: aftermeet deliveries ` +
      'replay runs it again.\n',
  );
}

/** A meeting in a digest, or why it is not told of. */
type ListedMeeting = { readonly meetingId: string; readonly title: string } | { readonly leftOut: string };

async function listMeetings(
  context: CommandContext,
  run: RecipeRun,
  { meetings, clock }: Operator,
): Promise<readonly ListedMeeting[]> {
  const { listRunMeetings } = await import('@aftermeet/recipes');
  const found = await withService(context, {}, ({ client }) =>
    listRunMeetings(run, { client, meetings, clock }),
  );
  return found.map((meeting) =>
    'digest' in meeting
      ? { meetingId: meeting.digest.meetingId, title: meeting.digest.title }
      : { leftOut: meeting.leftOut },
  );
}

function viewRun({ recipe, period, effects }: RecipeRun) {
  return {
    recipe: recipe.name,
    destination: recipe.prebuilt.destination,
    from: formatIso(period.fromMs),
    to: formatIso(period.toMs),
    effects: effects.map(({ effectKey, target }) => ({ effectKey, target })),
  };
}

async function formatRun(
  { recipe, period, effects }: RecipeRun,
  meetings: readonly ListedMeeting[] | undefined,
): Promise<string> {
  const { describeTarget } = await import('../recipes/preview-text.ts');
  const span = `from ${formatMinute(period.fromMs)} to ${formatMinute(period.toMs)} (UTC)`;
  const targets = effects
    .map((effect) => ({
      to: cleanLine(describeTarget(effect, recipe.prebuilt)),
      id: shortenId(effect.effectKey),
    }))
    .map(({ to, id }) => (meetings === undefined ? `  ${id}  ${to}\n` : `  ${to}\n`))
    .join('');
  if (meetings === undefined) {
    return (
      `${cleanLine(recipe.name)}: the meetings ${span}.\n\n${targets}\n` +
      'Queued: a worker sends it, unless there was no meeting. aftermeet effects show <id> says what became of it.\n'
    );
  }
  const lines = meetings
    .map((meeting) =>
      'title' in meeting ? meeting.title : `(left out: ${meeting.leftOut.replaceAll('_', ' ')})`,
    )
    .map((line) => `  ${cleanLine(line)}\n`)
    .join('');
  const count = meetings.length === 1 ? '1 meeting' : `${meetings.length} meetings`;
  return (
    `${cleanLine(recipe.name)}: ${count} ${span}.\n${lines}\nWould go to\n${targets}\n` +
    'Nothing was queued: run it without --dry-run to send it.\n'
  );
}
