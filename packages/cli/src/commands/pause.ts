import type { HandPause } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { WrongUse } from '../errors.ts';
import { formatMinute, withOperator } from '../operate/operator.ts';
import type { Settings } from '../settings/settings.ts';
import { formatIso, formatItems, formatJson, formatTable } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

const FOLLOWED = 'The workers follow within five seconds.';

/** `aftermeet pause`: stops what a recipe or a destination sends; without a name, lists what is paused. */
export function addPauseCommand(program: Command, context: CommandContext): void {
  program
    .command('pause')
    .summary('stop a recipe or a destination until it is resumed')
    .description(
      'Stops what a recipe or a destination sends, for all workers, until aftermeet resume. Nothing is lost: deliveries ' +
        'are taken and planned as before, and their effects wait. What is under way ends. Without a name, lists what is ' +
        'paused.',
    )
    .argument('[name]', 'a recipe or a destination of the settings, such as slack')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  aftermeet pause slack\n  aftermeet pause')
    .action(async (name: string | undefined, { json }: { json?: boolean }) => {
      if (name !== undefined) {
        await change(context, name, { isPaused: true, json });
        return;
      }
      const pauses = await withOperator(context, (operator) => operator.listPauses(), { result: [] });
      if (json === true) context.write(formatItems(pauses.map(viewPause)));
      else
        context.write(
          pauses.length === 0 ? 'Nothing is paused.\n' : formatTable(pauses, columns, tableView(context)),
        );
    });
}

/** `aftermeet resume`: ends a pause. */
export function addResumeCommand(program: Command, context: CommandContext): void {
  program
    .command('resume')
    .summary('let a paused recipe or destination send again')
    .description('Ends a pause of aftermeet pause: what waited is sent, with the pace of its destination.')
    .argument('<name>', 'a recipe or a destination, as aftermeet pause lists it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet resume slack')
    .action(async (name: string, { json }: { json?: boolean }) => {
      await change(context, name, { isPaused: false, json });
    });
}

const columns = [
  { title: 'PAUSED', read: ({ kind, name }: HandPause) => `${kind} ${name}` },
  { title: 'SINCE (UTC)', read: ({ atMs }: HandPause) => formatMinute(atMs) },
  { title: 'BY', read: ({ who }: HandPause) => who, shrinks: true, leftOut: 1 },
];

function viewPause({ atMs, ...pause }: HandPause) {
  return { ...pause, at: formatIso(atMs) };
}

async function change(
  context: CommandContext,
  name: string,
  { isPaused, json }: { readonly isPaused: boolean; readonly json: boolean | undefined },
): Promise<void> {
  const { kind, isChanged } = await withOperator(context, async (operator) => {
    // What was removed from the settings can still be resumed.
    const known = isPaused ? undefined : (await operator.listPauses()).find((pause) => pause.name === name);
    const found = known?.kind ?? (await findKind(name, operator.requireSettings()));
    const order = { kind: found, name, isPaused, who: 'aftermeet pause', nowMs: operator.clock() };
    return { kind: found, isChanged: await operator.setPause(order) };
  });
  if (json === true) {
    context.write(formatJson({ kind, name, isPaused, isChanged }));
    return;
  }
  const state = isPaused ? 'paused' : 'not paused any more';
  const shown = `The ${kind} ${cleanLine(name)}`;
  context.write(
    isChanged
      ? `${shown} is ${state}. ${FOLLOWED}\n`
      : `${shown} was ${isPaused ? 'paused already' : 'not paused'}.\n`,
  );
}

async function findKind(name: string, { recipes, destinations }: Settings): Promise<HandPause['kind']> {
  const recipeNames = recipes.map((recipe) => recipe.name);
  const { listDestinations } = await import('@aftermeet/recipes');
  const destinationNames = listDestinations(destinations).map((destination) => destination.name);
  if (recipeNames.includes(name)) return 'recipe';
  if (destinationNames.includes(name)) return 'destination';
  const { suggestName } = await import('@aftermeet/contract');
  const known = suggestName(name, [...recipeNames, ...destinationNames]);
  throw new WrongUse(`There is no recipe or destination ${JSON.stringify(cleanLine(name))}: ${known}\n`);
}
