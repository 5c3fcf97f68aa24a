import { suggestName } from '@aftermeet/contract';
import type { Endpoints } from '@aftermeet/receiver';
import { checkConfiguredRecipe, type ConfiguredRecipe, standardRecipes } from '@aftermeet/recipes';

import type { ReadSecretFile } from './fill-variables.ts';
import { readPolicies } from './policies-schema.ts';
import type { SettingProblem } from './problem.ts';
import { readDestinations } from './read-destinations.ts';
import { readEndpoints } from './read-endpoints.ts';
import { readEnvironment } from './read-environment.ts';
import { type FileValues, readSettingsFile } from './read-file.ts';
import { readService } from './read-service.ts';
import { chooseEndpoint } from './reconcile-schema.ts';
import type { Environment, ReconcileSettings, Settings } from './settings.ts';

export type SettingsRead =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly SettingProblem[] };

/**
 * Puts the environment and the settings file (its text, where there is one) together. Every problem is
 * found in one go, so that nobody mends settings one start at a time.
 */
export function readSettings(
  environment: Environment,
  fileText?: string,
  readSecretFile?: ReadSecretFile,
): SettingsRead {
  const env = readEnvironment(environment);
  const file = fileText === undefined ? undefined : readSettingsFile(fileText, environment, readSecretFile);
  if (!env.ok)
    return { ok: false, problems: [...env.problems, ...(file?.ok === false ? file.problems : [])] };
  if (file?.ok === false) return file;

  const { values } = env;
  const fromFile: FileValues = file?.values ?? {};
  const { destinations, problems } = readDestinations(values, fromFile);
  const recipes =
    fromFile.recipes === undefined ? standardRecipes(destinations) : readRecipes(fromFile.recipes);
  const { endpoints, problems: secretProblems } = readEndpoints(values, fromFile);
  const reconcile = readReconcile(fromFile, endpoints);
  const found = [
    ...problems,
    ...secretProblems,
    ...(fromFile.recipes === undefined ? [] : recipes.flatMap((recipe) => checkConfiguredRecipe(recipe))),
    ...checkEndpointRecipes(fromFile, recipes),
    ...reconcile.problems,
  ];
  if (found.length > 0) return { ok: false, problems: found };

  const service = readService(values);
  return {
    ok: true,
    settings: {
      ...(service === undefined ? {} : { service }),
      headerPrefix: values.SERVICE_HEADER_PREFIX,
      endpoints,
      toleranceSeconds: values.WEBHOOK_TOLERANCE_SECONDS,
      queueUrl: values.QUEUE_URL,
      host: values.HOST,
      port: values.PORT,
      trustedProxies: values.TRUSTED_PROXIES,
      maxBodyBytes: values.MAX_BODY_BYTES,
      ...(values.PUBLIC_URL === undefined ? {} : { publicUrl: values.PUBLIC_URL }),
      ...(values.ADMIN_TOKEN === undefined ? {} : { adminToken: values.ADMIN_TOKEN }),
      destinations,
      recipes,
      endpointRecipes: Object.fromEntries(
        Object.entries(fromFile.endpoints ?? {}).flatMap(([name, endpoint]) =>
          endpoint.recipes === undefined ? [] : [[name, endpoint.recipes]],
        ),
      ),
      policies: readPolicies(fromFile.destinations),
      ...(reconcile.settings === undefined ? {} : { reconcile: reconcile.settings }),
      ...(values.WORKER_PORT === undefined ? {} : { workerPort: values.WORKER_PORT }),
      log: {
        level: values.LOG_LEVEL,
        ...(values.LOG_FORMAT === undefined ? {} : { format: values.LOG_FORMAT }),
      },
    },
  };
}

function readRecipes(recipes: NonNullable<FileValues['recipes']>): readonly ConfiguredRecipe[] {
  return Object.entries(recipes).map(([name, recipe]) => ({
    name,
    use: recipe.use,
    when: recipe.when ?? {},
    with: recipe.with ?? {},
  }));
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
  return Object.entries(file.endpoints ?? {}).flatMap(([endpoint, { recipes: wanted = [] }]) =>
    wanted
      .filter((name) => !known.includes(name))
      .map((name) => ({
        setting: `endpoints.${endpoint}.recipes`,
        found: `the unknown recipe ${JSON.stringify(name)}`,
        expected: known.length === 0 ? 'a recipe that is configured' : suggestName(name, known),
      })),
  );
}
