import { bindRecipes } from '../bind-recipes.ts';
import { checkConfiguredRecipe } from '../check-configured-recipe.ts';
import type { DestinationName, Destinations } from '../destinations.ts';
import { findPrebuiltRecipe } from '../prebuilt/list-prebuilt-recipes.ts';
import { type BoundRecipe, type ConfiguredRecipe, type RecipeProblem, spreadTarget } from '../recipe.ts';
import { explainWhen } from '../routing/explain-when.ts';
import type { EndpointRecipes } from '../routing/match-recipes.ts';
import { readText } from './loose-parts.ts';
import { writePreviewEvent } from './preview-event.ts';
import { warnOfRecipes } from './recipe-warnings.ts';
import { redactOptions } from './redact-options.ts';

interface ExplainedOption {
  readonly name: string;
  readonly description: string;
  /** As it is set, without secrets; absent: it is not set. */
  readonly value?: unknown;
  /** What counts where it is not set; absent: nothing does. */
  readonly default?: unknown;
}

/** A recipe of an installation, for people. */
export interface ExplainedRecipe {
  readonly name: string;
  readonly use: string;
  readonly description: string;
  readonly destination?: DestinationName;
  /** What must hold for it to run, each a sentence without a full stop. */
  readonly runs: readonly string[];
  /** Channels, data sources, addresses; empty: the report decides. */
  readonly targets: readonly string[];
  readonly endpoints: readonly string[];
  readonly options: readonly ExplainedOption[];
  /** Why it can not run. */
  readonly problems: readonly RecipeProblem[];
  readonly warnings: readonly string[];
}

export interface Installation {
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
  readonly endpoints: readonly string[];
  readonly endpointRecipes: EndpointRecipes;
}

/** A recipe with what it is bound to; `targets` are empty where the report decides. */
export interface PlacedRecipe {
  readonly configured: ConfiguredRecipe;
  readonly bound?: BoundRecipe;
  readonly targets: readonly string[];
  readonly endpoints: readonly string[];
}

/** What each recipe does, where and when, and what is odd about it. Pure. */
export function explainRecipes(installation: Installation): readonly ExplainedRecipe[] {
  const placed = installation.recipes.map((configured) => placeRecipe(configured, installation));
  return placed.map((recipe) => {
    const { configured, bound, targets, endpoints } = recipe;
    const prebuilt = findPrebuiltRecipe(configured.use);
    const values = redactOptions(configured.with);
    return {
      name: configured.name,
      use: configured.use,
      description: prebuilt?.description ?? '',
      ...(prebuilt === undefined ? {} : { destination: prebuilt.destination }),
      runs: bound === undefined ? [] : explainWhen(bound),
      targets,
      endpoints,
      options: (prebuilt?.options ?? []).map((option) => ({
        ...option,
        ...(values[option.name] === undefined ? {} : { value: values[option.name] }),
      })),
      problems: checkConfiguredRecipe(configured, installation.destinations),
      warnings: warnOfRecipes(recipe, placed),
    };
  });
}

function placeRecipe(configured: ConfiguredRecipe, installation: Installation): PlacedRecipe {
  const { destinations } = installation;
  const isAble = checkConfiguredRecipe(configured, destinations).length === 0;
  const [bound] = isAble ? bindRecipes([configured], destinations) : [];
  const endpoints = listEndpoints(configured, installation);
  if (bound === undefined) return { configured, targets: [], endpoints };
  const eventKind = [bound.when.event ?? bound.prebuilt.events].flat()[0] ?? 'meeting.completed';
  const event = writePreviewEvent({ meetingId: 'm_1', eventKind, nowMs: 0 }, endpoints[0] ?? 'default');
  const planned = bound.plan(
    bound.schedule === undefined ? event : { ...event, kind: 'schedule.due', since: '' },
  );
  const targets = nameTargets(
    configured,
    planned.map(({ target }) => target),
  );
  return { configured, bound, targets, endpoints };
}

/** Where it goes, in the words of its settings where those know it better than the plan. */
function nameTargets({ use, with: values }: ConfiguredRecipe, planned: readonly string[]): readonly string[] {
  const own = readText(values['folder'] ?? values['dataSource']);
  if (own !== '') return [own];
  if (findPrebuiltRecipe(use)?.destination === 'service') return ['the service itself'];
  return [...new Set(planned)].filter((target) => target !== spreadTarget);
}

/** The endpoints whose deliveries make it run; one that names no recipes runs all. */
function listEndpoints(
  { name, when }: ConfiguredRecipe,
  { endpoints, endpointRecipes }: Installation,
): readonly string[] {
  const all = endpoints.length === 0 ? ['default'] : endpoints;
  const wanted: unknown = when['endpoint'];
  const isWanted = (endpoint: string): boolean =>
    wanted === undefined || wanted === endpoint || (Array.isArray(wanted) && wanted.includes(endpoint));
  return all
    .filter(
      (endpoint) => !Object.hasOwn(endpointRecipes, endpoint) || endpointRecipes[endpoint]?.includes(name),
    )
    .filter(isWanted);
}
