import { suggestName } from '@aftermeet/contract';
import type { Endpoint, Endpoints } from '@aftermeet/receiver';
import {
  checkConfiguredRecipe,
  checkOtherwise,
  configureDestination,
  type ConfiguredDestination,
  type ConfiguredRecipe,
  type PolicyChanges,
  readDestinations,
  standardRecipes,
  WRONG_VALUE,
} from '@aftermeet/recipes';

import type { SettingProblem } from '../errors.ts';
import { describeWritten } from './describe-written.ts';
import { type EnvironmentValues, readEnvironment } from './environment.ts';
import { type FileValues, readSettingsFile, readWrittenFile } from './file.ts';
import { missingCode, NO_CODE, type OwnCode } from './own-code.ts';
import type { PeopleRows } from './people-file.ts';
import { readPeople } from './people.ts';
import { chooseEndpoint } from './reconcile.ts';
import type { ReadSecretFile } from './secret-files.ts';
import { readService } from './service.ts';
import type { Environment, ReconcileSettings, Settings } from './settings.ts';
import { joinProblems } from './usable-parts.ts';

const HOUR_MS = 3_600_000;

export type SettingsRead =
  | { readonly ok: true; readonly settings: Settings }
  | {
      readonly ok: false;
      readonly problems: readonly SettingProblem[];
      /** The settings without the wrong parts of the file, to judge the rest by; undefined if that would mislead. */
      readonly settings?: Settings | undefined;
    };

/**
 * Merges the environment and the text of the settings file. Returns all problems at once, so that one start is enough
 * to find them.
 */
export function readSettings(
  environment: Environment,
  fileText = '',
  readSecretFile?: ReadSecretFile,
  code: OwnCode = NO_CODE,
  peopleRows?: PeopleRows,
): SettingsRead {
  const env = readEnvironment(environment);
  const file = readSettingsFile(fileText, environment, readSecretFile);
  const known = [...(env.ok ? [] : env.problems), ...(file.ok ? [] : file.problems)];
  if (file.values === undefined) return { ok: false, problems: known };

  const { values } = env;
  const fromFile = file.values;
  const { mail, destinations: sections } = fromFile;
  const hasRecipes = fromFile.recipes !== undefined;
  const { destinations: builtIn, problems } = readDestinations(values, { mail, hasRecipes });
  const own = readOwnDestinations(fromFile, code);
  const people = readPeople(fromFile.people, peopleRows);
  const destinations = {
    ...builtIn,
    own: own.own,
    ...(people.people.length > 0 ? { people: people.people } : {}),
    language: fromFile.language,
    timezone: fromFile.timezone,
  };
  const recipes =
    fromFile.recipes === undefined
      ? standardRecipes(destinations)
      : readRecipes(fromFile.recipes, code.recipes);
  const { endpoints, problems: secretProblems } = readEndpoints(values, fromFile);
  const reconcile = readReconcile(fromFile, endpoints);
  const endpointRecipes = Object.fromEntries(
    Object.entries(fromFile.endpoints ?? {}).flatMap(([name, endpoint]) =>
      endpoint.recipes === undefined ? [] : [[name, endpoint.recipes]],
    ),
  );
  const found = [
    ...problems,
    ...own.problems,
    ...people.problems,
    ...secretProblems,
    ...(fromFile.recipes === undefined
      ? []
      : recipes.flatMap((recipe) => checkRecipe(recipe, code.recipes, fileText))),
    ...checkEndpointRecipes(fromFile, recipes),
    ...checkOtherwise(recipes, endpointRecipes),
    ...checkWantedEndpoints(fromFile, endpoints),
    ...checkRemoved(fromFile, endpoints),
    ...reconcile.problems,
    ...checkTrustHeader(values),
    ...checkAdminAddress(values),
  ];
  const all = joinProblems(known, found);
  const service = readService(values);
  const settings: Settings = {
    ...(service === undefined ? {} : { service }),
    headerPrefix: values.SERVICE_HEADER_PREFIX,
    endpoints,
    removed: { endpoints: fromFile.removed ?? [], forMs: values.WEBHOOK_REMOVED_HOURS * HOUR_MS },
    toleranceSeconds: values.WEBHOOK_TOLERANCE_SECONDS,
    queueUrl: values.QUEUE_URL,
    host: values.HOST,
    port: values.PORT,
    ...(values.ADMIN_PORT === undefined
      ? {}
      : { admin: { host: values.ADMIN_HOST ?? '127.0.0.1', port: values.ADMIN_PORT } }),
    reusePort: values.REUSE_PORT,
    trustedProxies: values.TRUSTED_PROXIES,
    maxBodyBytes: values.MAX_BODY_BYTES,
    ...(values.PUBLIC_URL === undefined ? {} : { publicUrl: values.PUBLIC_URL }),
    ...(values.ADMIN_TOKEN === undefined ? {} : { adminToken: values.ADMIN_TOKEN }),
    ...(values.CONSOLE_TRUST_HEADER === undefined ? {} : { consoleTrustHeader: values.CONSOLE_TRUST_HEADER }),
    destinations,
    recipes,
    endpointRecipes,
    policies: { ...sections?.policies, ...own.policies },
    ...(reconcile.settings === undefined ? {} : { reconcile: reconcile.settings }),
    ...(values.WORKER_PORT === undefined ? {} : { workerPort: values.WORKER_PORT }),
    log: {
      level: values.LOG_LEVEL,
      ...(values.LOG_FORMAT === undefined ? {} : { format: values.LOG_FORMAT }),
    },
  };
  if (all.length === 0) return { ok: true, settings };
  return { ok: false, problems: all, settings: env.ok ? settings : undefined };
}

function readRecipes(
  recipes: NonNullable<FileValues['recipes']>,
  own: OwnCode['recipes'],
): readonly ConfiguredRecipe[] {
  return Object.entries(recipes).map(([name, { use, when = {}, with: values = {}, approve }]) => {
    const read = own.get(use);
    const definition = read?.ok === true ? read.recipe : undefined;
    return { name, use, when, with: values, approve, definition };
  });
}

/** A recipe that could not be loaded has this one problem. The options of own code are not quoted: any can be secret. */
function checkRecipe(
  recipe: ConfiguredRecipe,
  own: OwnCode['recipes'],
  fileText: string,
): readonly SettingProblem[] {
  const read = own.get(recipe.use);
  if (read === undefined) return quoteRecipe(recipe.name, checkConfiguredRecipe(recipe), fileText);
  if (read.ok) return checkConfiguredRecipe(recipe);
  const { found, expected } = read;
  return [{ setting: `recipes.${recipe.name}.use`, found, expected }];
}

/** The problems with what the file has in place of "a value that does not fit". */
function quoteRecipe(
  name: string,
  problems: readonly SettingProblem[],
  fileText: string,
): readonly SettingProblem[] {
  if (!problems.some(({ found }) => found === WRONG_VALUE)) return problems;
  const written = readWrittenFile(fileText);
  return problems.map((problem) => {
    if (problem.found !== WRONG_VALUE) return problem;
    // A name can hold dots; what follows it is split as the recipe has joined it.
    const path = ['recipes', name, ...problem.setting.slice(`recipes.${name}.`.length).split('.')];
    return { ...problem, found: describeWritten(written, path, WRONG_VALUE) };
  });
}

function readReconcile(
  { reconcile }: FileValues,
  endpoints: Endpoints,
): { readonly settings?: ReconcileSettings; readonly problems: readonly SettingProblem[] } {
  if (reconcile === undefined) return { problems: [] };
  const choice = chooseEndpoint(endpoints, reconcile.endpoint);
  if (!choice.ok) return { problems: [{ setting: 'reconcile.endpoint', ...choice.problem }] };
  const { every: everyMs, since: sinceMs } = reconcile;
  return { settings: { everyMs, sinceMs, endpoint: choice.endpoint }, problems: [] };
}

function checkEndpointRecipes(
  file: FileValues,
  recipes: readonly ConfiguredRecipe[],
): readonly SettingProblem[] {
  const known = recipes.map((recipe) => recipe.name);
  return Object.entries(file.endpoints ?? {}).flatMap(([endpoint, { recipes: wanted, unsigned }]) => {
    const problems = (wanted ?? [])
      .filter((name) => !known.includes(name))
      .map((name) => ({
        setting: `endpoints.${endpoint}.recipes`,
        found: `the unknown recipe ${JSON.stringify(name)}`,
        expected: known.length === 0 ? 'a recipe that is configured' : suggestName(name, known),
      }));
    // An unsigned delivery can name any meeting.
    if (unsigned === undefined || wanted !== undefined) return problems;
    const expected = `the recipes that unsigned deliveries may run, such as [${known[0] ?? 'uploads-recap'}]`;
    return [{ setting: `endpoints.${endpoint}.recipes`, found: 'nothing, with unsigned: accept', expected }];
  });
}

/** A recipe that asks for an endpoint that is not there runs for no meeting. */
function checkWantedEndpoints(
  { recipes = {} }: FileValues,
  { byName }: Endpoints,
): readonly SettingProblem[] {
  // The secrets of `default` may be known to the receiver alone.
  const known = [...new Set(['default', ...byName.keys()])];
  if (byName.size === 0) return [];
  return Object.entries(recipes).flatMap(([name, { when }]) => {
    const wanted: unknown = when?.['endpoint'];
    return [wanted]
      .flat()
      .filter((endpoint): endpoint is string => typeof endpoint === 'string' && !known.includes(endpoint))
      .map((endpoint) => ({
        setting: `recipes.${name}.when.endpoint`,
        found: `the unknown endpoint ${JSON.stringify(endpoint)}`,
        expected: suggestName(endpoint, known),
      }));
  });
}

/** The destinations of one's own whose code could be loaded, with their policies, or what is wrong. */
function readOwnDestinations(
  { destinations: sections }: FileValues,
  { destinations: loaded }: OwnCode,
): {
  readonly own: readonly ConfiguredDestination[];
  readonly policies: PolicyChanges;
  readonly problems: readonly SettingProblem[];
} {
  const read = (sections?.own ?? []).map(({ name, use, values }) => {
    const code = loaded.get(use) ?? missingCode(use, 'a file that starts with ./, or an installed package');
    if (code.ok) return { name, ...configureDestination(name, code, values) };
    const { found, expected } = code;
    return { name, ok: false, problems: [{ setting: `destinations.${name}.use`, found, expected }] } as const;
  });
  return {
    own: read.flatMap((one) => (one.ok ? [one.configured] : [])),
    policies: Object.fromEntries(read.flatMap((one) => (one.ok ? [[one.name, one.policy]] : []))),
    problems: read.flatMap((one) => (one.ok ? [] : one.problems)),
  };
}

interface NamedSecret {
  /** The setting that holds it. */
  readonly setting: string;
  readonly secret: string;
}

interface NamedEndpoint {
  readonly secrets: readonly NamedSecret[];
  readonly unsigned?: 'accept' | undefined;
}

/**
 * The endpoints of the environment (`default`) and of the file. A secret that is used twice is a problem: the service
 * knows endpoint secrets, so with the master secret it could sign for every meeting, and with the admin token it could
 * manage the receiver; the same secret twice in an endpoint is a rotation without effect, and with one secret for two
 * endpoints a delivery to one of them could be sent to the readers of the other.
 */
function readEndpoints(
  values: EnvironmentValues,
  file: FileValues,
): { readonly endpoints: Endpoints; readonly problems: readonly SettingProblem[] } {
  const master = nameSecret('WEBHOOK_MASTER_SECRET', values.WEBHOOK_MASTER_SECRET);
  const named = nameEndpoints(values, file, master.length > 0);
  const guards = [...nameSecret('ADMIN_TOKEN', values.ADMIN_TOKEN), ...master];
  const problems = [
    ...listDoubles([], guards),
    ...listDoubles(
      guards,
      [...named.values()].flatMap(({ secrets }) => secrets),
    ),
  ];
  const byName = new Map<string, Endpoint>();
  for (const [name, { secrets, unsigned }] of named) {
    byName.set(name, {
      secrets: secrets.map(({ secret }) => secret),
      ...(unsigned === undefined ? {} : { unsigned }),
    });
  }
  const [{ secret: masterSecret } = {}] = master;
  return { endpoints: { byName, ...(masterSecret === undefined ? {} : { masterSecret }) }, problems };
}

function checkRemoved({ removed = [] }: FileValues, { byName }: Endpoints): readonly SettingProblem[] {
  return removed
    .filter((name) => byName.has(name))
    .map((name) => ({
      setting: 'removed',
      found: `${name}, which is an endpoint`,
      expected: 'the names of endpoints that are there no more',
    }));
}

function nameEndpoints(
  values: EnvironmentValues,
  { endpoints = {} }: FileValues,
  hasMaster: boolean,
): ReadonlyMap<string, NamedEndpoint> {
  const secrets = [
    ...nameSecret('WEBHOOK_SECRET', values.WEBHOOK_SECRET),
    ...nameSecret('WEBHOOK_SECRET_PREVIOUS', values.WEBHOOK_SECRET_PREVIOUS),
  ];
  const named = new Map<string, NamedEndpoint>(
    secrets.length > 0 || hasMaster ? [['default', { secrets }]] : [],
  );
  for (const [name, { secrets: given, unsigned }] of Object.entries(endpoints)) {
    named.set(name, {
      // An endpoint without secrets in the file keeps those of the environment.
      secrets:
        given?.map((secret, index) => ({ setting: `endpoints.${name}.secrets.${index}`, secret })) ??
        named.get(name)?.secrets ??
        [],
      unsigned,
    });
  }
  return named;
}

function nameSecret(setting: string, secret: string | undefined): readonly NamedSecret[] {
  return secret === undefined ? [] : [{ setting, secret }];
}

/** A problem for each of `secrets` that is also in `others` or earlier in the list; values are not repeated. */
function listDoubles(
  others: readonly NamedSecret[],
  secrets: readonly NamedSecret[],
): readonly SettingProblem[] {
  return secrets.flatMap(({ setting, secret }, index) => {
    const first = [...others, ...secrets.slice(0, index)].find((other) => other.secret === secret);
    if (first === undefined) return [];
    return [{ setting, found: `the same as ${first.setting}`, expected: 'a secret of its own' }];
  });
}

/** Without a proxy that is known by its address anybody could write the header. */
function checkTrustHeader({
  CONSOLE_TRUST_HEADER: header,
  TRUSTED_PROXIES: proxies,
  ADMIN_TOKEN: token,
}: EnvironmentValues): readonly SettingProblem[] {
  if (header === undefined) return [];
  const expected = 'a value, because CONSOLE_TRUST_HEADER is set';
  return [
    ...(proxies.length > 0 ? [] : [{ setting: 'TRUSTED_PROXIES', found: 'nothing', expected }]),
    ...(token !== undefined ? [] : [{ setting: 'ADMIN_TOKEN', found: 'nothing', expected }]),
  ];
}

/** Without a port the address would be ignored, and management stay on the open one. */
function checkAdminAddress({
  ADMIN_HOST: host,
  ADMIN_PORT: port,
}: EnvironmentValues): readonly SettingProblem[] {
  if (host === undefined || port !== undefined) return [];
  return [{ setting: 'ADMIN_PORT', found: 'nothing', expected: 'a port, because ADMIN_HOST is set' }];
}
