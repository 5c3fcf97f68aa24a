import { headerName } from '../destinations/http/address-schema.ts';
import type { Destinations } from '../destinations/settings.ts';
import { type EndpointRecipes, explainWhen } from '../engine/conditions/match-recipes.ts';
import { recipeWhenSchema } from '../engine/conditions/when.ts';
import {
  type BoundRecipe,
  type ConfiguredRecipe,
  type RecipeProblem,
  expandTarget,
} from '../engine/recipe.ts';
import { bindRecipes, checkConfiguredRecipe } from '../prebuilt/bind-recipes.ts';
import { findDefinition } from '../prebuilt/list-prebuilt-recipes.ts';
import { writePreviewEvent } from './preview-recipes.ts';
import { type PlacedRecipe, warnOfRecipes } from './recipe-warnings.ts';

interface ExplainedOption {
  readonly name: string;
  readonly description: string;
  /** The configured value, without secrets; absent: not set. */
  readonly value?: unknown;
  /** Value that applies when it is not set. */
  readonly default?: unknown;
}

/** A configured recipe, explained. */
export interface ExplainedRecipe {
  readonly name: string;
  readonly use: string;
  readonly description: string;
  /** Absent: it cannot run, or its code names several. */
  readonly destination?: string;
  /** Conditions for it to run, each a sentence without a full stop. */
  readonly runs: readonly string[];
  /** What selects its meetings, in a few words: `every meeting`. Empty: it cannot run. */
  readonly selects: string;
  /** Channels, data sources, addresses; empty: the report decides. */
  readonly targets: readonly string[];
  readonly endpoints: readonly string[];
  readonly options: readonly ExplainedOption[];
  /** Why it cannot run. */
  readonly problems: readonly RecipeProblem[];
  readonly warnings: readonly string[];
}

interface Installation {
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
  readonly endpoints: readonly string[];
  readonly endpointRecipes: EndpointRecipes;
}

/** Explains what each recipe does, where and when, with warnings. Pure. */
export function explainRecipes(installation: Installation): readonly ExplainedRecipe[] {
  const placed = installation.recipes.map((configured) => placeRecipe(configured, installation));
  return placed.map((recipe) => {
    const { configured, bound, targets, endpoints } = recipe;
    const prebuilt = findDefinition(configured);
    const values = redactOptions(configured.with);
    return {
      name: configured.name,
      use: configured.use,
      description: prebuilt?.description ?? '',
      ...(prebuilt === undefined || prebuilt.sendsAnywhere === true
        ? {}
        : { destination: prebuilt.destination }),
      runs: bound === undefined ? [] : explainWhen(bound),
      selects: bound === undefined ? '' : summarizeWhen(bound),
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

/** The conditions of its settings, without those that each recipe of its kind has. */
function summarizeWhen({ when, schedule, prebuilt }: BoundRecipe): string {
  const conditions = Object.values(when).map(({ yes }) => yes);
  const usual = prebuilt.reads === 'event' ? 'what goes wrong' : 'every meeting';
  const selected = conditions.length === 0 ? usual : conditions.join(', and ');
  return schedule === undefined ? selected : `by the clock: ${selected}`;
}

function placeRecipe(configured: ConfiguredRecipe, installation: Installation): PlacedRecipe {
  const { destinations } = installation;
  const isAble = checkConfiguredRecipe(configured, destinations).length === 0;
  const [bound] = isAble ? bindRecipes([configured], destinations) : [];
  const endpoints = listEndpoints(configured, installation);
  if (bound === undefined) return { configured, targets: [], endpoints };
  const eventKind = (bound.when.event?.wanted ?? bound.prebuilt.events)[0] ?? 'meeting.completed';
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

/** The targets: a folder or data source of its options, or those of its plan. */
function nameTargets({ with: values }: ConfiguredRecipe, planned: readonly string[]): readonly string[] {
  const own = values['folder'] ?? values['dataSource'];
  if (typeof own === 'string' && own !== '') return [own];
  return [...new Set(planned)].filter((target) => target !== expandTarget);
}

/** Endpoints whose deliveries run the recipe. An endpoint without a list of recipes runs all. */
function listEndpoints(
  { name, when }: ConfiguredRecipe,
  { endpoints, endpointRecipes }: Installation,
): readonly string[] {
  const all = endpoints.length === 0 ? ['default'] : endpoints;
  const { data } = recipeWhenSchema.safeParse(when);
  const wanted = data?.endpoint?.wanted;
  return all.filter(
    (endpoint) =>
      (!Object.hasOwn(endpointRecipes, endpoint) || endpointRecipes[endpoint]?.includes(name)) &&
      wanted?.includes(endpoint) !== false,
  );
}

const secretName = /secret|token|password|authorization|headers?$|^body$/i;

const addressName = /^url$|Url$|^webhook$/;

const HIDDEN = '(hidden)';

/** The options of a recipe without secrets, headers and bodies; addresses are reduced to their host. */
export function redactOptions(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, redact(name, value)]));
}

/** The part of an address that is not secret: `https://hooks.example.com/…`. */
export function redactAddress(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return HIDDEN;
  const { protocol, host, pathname, search } = new URL(address);
  return `${protocol}//${host}${pathname === '/' && search === '' ? '' : '/…'}`;
}

function redact(name: string, value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item) => redact(name, item));
  if (/headers?$/i.test(name) && typeof value === 'object') {
    return Object.fromEntries(
      Object.keys(value).map((header) => [headerName.test(header) ? header : HIDDEN, HIDDEN]),
    );
  }
  if (secretName.test(name)) return HIDDEN;
  if (typeof value === 'object') return redactOptions({ ...value });
  if (typeof value !== 'string') return value;
  if (name === 'link') return redactLink(value);
  return addressName.test(name) ? redactAddress(value) : value;
}

/** Keeps the path of a link in a message and hides values after `?` and `#`, which may grant access. */
function redactLink(link: string): string {
  if (!/^https?:/i.test(link) || !URL.canParse(link)) return HIDDEN;
  const [, page = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(link) ?? [];
  const shown = page.replace(/^([a-z]+:[\\/]*)[^\\/]*@/i, '$1');
  const asked = query === undefined ? '' : `?${query.split('&').map(redactParameter).join('&')}`;
  return `${shown}${asked}${fragment === undefined ? '' : '#…'}`;
}

function redactParameter(parameter: string): string {
  const at = parameter.indexOf('=');
  if (at < 1) return '…';
  return parameter.slice(at + 1) === '{meeting_id}' ? parameter : `${parameter.slice(0, at)}=…`;
}
