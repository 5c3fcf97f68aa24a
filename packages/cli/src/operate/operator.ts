import { existsSync } from 'node:fs';

import type { Destinations, Found, OperatorTools, PlanDelivery } from '@aftermeet/recipes';
import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { DEV_NAMESPACE, listDevDestinations } from '../dev/dev-store.ts';
import { EXIT_FAILED, Failure, wrongSettings } from '../errors.ts';
import { withResources } from '../hosting/resources.ts';
import { parseLimit } from '../options.ts';
import { type Environment, type Settings, WORKSPACE } from '../settings/settings.ts';
import { formatIso, formatMoment, SHORT_ID_LENGTH } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

export interface Operator extends OperatorTools {
  /** Throws `WrongUse` with all problems of the settings. */
  readonly requireSettings: () => Settings;
  /** The destinations of these settings; none if they have problems. */
  readonly destinations: Destinations;
  /** What the recipes of these settings make of a delivery; undefined if they can't run. */
  readonly plan: PlanDelivery | undefined;
  /** The queue's name without a password, for people. */
  readonly queueName: string;
}

/** Who does something by a command, as the timeline of a meeting says. */
export const COMMAND_LINE = 'the command line';

/**
 * Runs `use` with the queue and the ledger open, and closes them. A wrong settings file does not prevent a look at what is
 * stored, nor its repair: the address of the queue is a variable. A command that only looks says what it makes of a queue
 * folder that does not exist yet (`whenMissing`): no database is made for it.
 */
export async function withOperator<Result>(
  context: CommandContext,
  use: (operator: Operator) => Promise<Result>,
  whenMissing?: { readonly result: Result } | 'refuse',
): Promise<Result> {
  const { findSettings, recipeProblems } = await import('../settings/load.ts');
  const { openBackend, silentLog } = await import('@aftermeet/queue');
  const { createPlanner, openOperatorTools } = await import('@aftermeet/recipes');
  const read = await findSettings(context.environment, context.configPath());
  const queueUrl = read.ok ? read.settings.queueUrl : await requireQueueUrl(context.environment);
  const missing = whenMissing === undefined ? undefined : await findMissingFolder(queueUrl);
  if (missing !== undefined && whenMissing !== undefined) {
    const message = `There is no queue folder yet at ${cleanLine(missing)}: nothing has been received.`;
    if (whenMissing === 'refuse') throw new Failure({ exitCode: EXIT_FAILED, code: 'not_found', message });
    context.writeError(`${message}\n`);
    return whenMissing.result;
  }
  const requireSettings = (): Settings => {
    if (!read.ok) throw wrongSettings(read.problems);
    return read.settings;
  };
  const isDev = context.isDev();
  let plan: PlanDelivery | undefined;
  if (isDev) plan = await planAsDev();
  else if (read.ok && recipeProblems(read.settings).length === 0) {
    const { recipes, endpointRecipes, destinations } = read.settings;
    plan = createPlanner({ workspace: WORKSPACE, recipes, endpointRecipes, destinations });
  }
  return await withResources(context.writeError, async (defer) => {
    // The commands report errors themselves.
    const namespace = isDev ? { namespace: DEV_NAMESPACE } : {};
    const backend = defer(await openBackend(queueUrl, { log: silentLog, ...namespace }));
    const { clock } = context;
    const tools = defer(await openOperatorTools(backend, clock === undefined ? {} : { clock }));
    const queueName = isDev ? `${backend.name} of aftermeet dev` : backend.name;
    const destinations = read.ok && !isDev ? read.settings.destinations : {};
    return await use({ ...tools, requireSettings, destinations, plan, queueName });
  });
}

/** The folder of an embedded queue, if there is none yet. */
export async function findMissingFolder(queueUrl: string): Promise<string | undefined> {
  const { parseQueueUrl } = await import('@aftermeet/queue');
  const address = parseQueueUrl(queueUrl);
  return address.ok && address.kind === 'embedded' && !existsSync(address.directory)
    ? address.directory
    : undefined;
}

/** What the recipes of `aftermeet dev` make of a delivery. */
async function planAsDev(): Promise<PlanDelivery> {
  const { createPlanner, standardRecipes } = await import('@aftermeet/recipes');
  const { defaultDataSourceId: dataSourceId } = await import('@aftermeet/sandbox');
  const destinations = listDevDestinations({ dataSourceId, slackApiUrl: '', notionUrl: '', smtpUrl: '' });
  const recipes = standardRecipes(destinations);
  return createPlanner({ workspace: WORKSPACE, recipes, endpointRecipes: {}, destinations });
}

/** The address of the queue, which needs no settings file. */
export async function requireQueueUrl(environment: Environment): Promise<string> {
  const { readEnvironment } = await import('../settings/environment.ts');
  const read = readEnvironment(environment);
  const problems = read.ok ? [] : read.problems.filter(({ setting }) => setting === 'QUEUE_URL');
  if (problems.length > 0) throw wrongSettings(problems);
  return read.values.QUEUE_URL;
}

/** The plan; throws `WrongUse` with what keeps the recipes from running. */
export async function requirePlan({ plan, requireSettings }: Operator): Promise<PlanDelivery> {
  if (plan !== undefined) return plan;
  const settings = requireSettings();
  const { recipeProblems } = await import('../settings/load.ts');
  throw wrongSettings(
    recipeProblems(settings),
    '\nA replay needs the recipes and destinations of the worker.\n',
  );
}

/** The options that the lists of deliveries and effects share; `noun` is plural. */
export function addListOptions(command: Command, noun: string, defaultLimit: number): Command {
  return command
    .option('--meeting <meeting-id>', `${noun} of this meeting`)
    .option('--limit <number>', `maximum number of ${noun}, or all`, parseLimit, defaultLimit)
    .option('--json', 'print JSON');
}

/** What the operator commands name by an id or the start of one. */
export interface NamedKind {
  readonly noun: string;
  /** The command that lists them. */
  readonly list: string;
}

/** Why a name finds nothing, or more than one. */
export function explainNotFound(
  name: string,
  found: Exclude<Found<unknown>, { kind: 'found' }>,
  { noun, list }: NamedKind,
): string {
  const shown = JSON.stringify(cleanLine(name));
  if (found.kind === 'none') return `There is no ${noun} ${shown}: ${list} shows what is stored.`;
  const ids = found.ids.map((id) => id.slice(0, name.length + 8)).join(', ');
  return `${shown} is the start of several ids: ${ids}.`;
}

/** What was found; throws a `Failure` with advice if nothing was. */
export function requireFound<Value>(name: string, found: Found<Value>, kind: NamedKind): Value {
  if (found.kind === 'found') return found.value;
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: 'not_found',
    message: explainNotFound(name, found, kind),
  });
}

/** Says that nothing was found, and where else it can be. */
export function sayNoneFound(noun: string, queueName: string, { isDev }: CommandContext): string {
  return `No ${noun} found in the queue ${queueName}.${isDev() ? '' : DEV_HINT}\n`;
}

/** The demo has a namespace of its own. */
export const DEV_HINT = ' The sample meeting of aftermeet dev (npm start) is shown with --dev.';

export function shortenId(id: string): string {
  return id.slice(0, SHORT_ID_LENGTH);
}

/** Milliseconds since 1970 as a minute in UTC. */
export function formatMinute(ms: number): string {
  return formatMoment(formatIso(ms));
}
