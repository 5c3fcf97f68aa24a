import type { Log } from '@aftermeet/queue';
import type { Endpoint, Endpoints, ReloadResult } from '@aftermeet/receiver';

import { formatProblem, WrongUse } from '../errors.ts';
import type { Environment, Settings } from '../settings/settings.ts';

export interface ReloadOptions {
  readonly environment: Environment;
  readonly configPath: string | undefined;
  /** The settings that the process was started with. */
  readonly settings: Settings;
  /** What is served since the start: {@link serveEndpoints}. */
  readonly served: Endpoints;
  /** Replaces the current endpoints. */
  readonly replace: (endpoints: Endpoints) => void | Promise<void>;
  readonly log: Log;
  readonly nowMs: () => number;
}

/**
 * Reads the settings file again and replaces the endpoints, nothing else; other changed sections are reported as
 * needing a restart. With a problem everything stays as it is. A file that has disappeared is a problem, and so is an
 * endpoint that is gone from it without being listed under `removed`, as in a file that is half written: the service drops
 * events that a lost endpoint answers with 404. Reloads run one after the other, so that an older file never replaces a
 * newer one. Never rejects.
 */
export function createReload(options: ReloadOptions): () => Promise<ReloadResult> {
  const { environment, configPath, settings, replace, log, nowMs } = options;
  let { file } = settings;
  let { served } = options;
  const reload = async (): Promise<ReloadResult> => {
    const found = await readAgain(environment, configPath, file);
    const read = found.ok ? refuseLost(served, found.settings) : found;
    if (!read.ok) {
      log.error({ problems: read.problems }, 'endpoints unchanged: the settings cannot be used');
      return read;
    }
    const before = served;
    served = serveEndpoints(read.settings, nowMs(), before.removed);
    await replace(served);
    const endpoints = [...served.byName.keys()];
    const removed = [...before.byName.keys()].filter((name) => !served.byName.has(name));
    const needRestart = listOtherChanges(settings, read.settings);
    ({ file } = read.settings);
    const hours = read.settings.removed.forMs / HOUR_MS;
    if (removed.length > 0) {
      log.warn({ removed, hours }, 'endpoints removed: their deliveries get 503 for some hours, then 404');
    }
    log.info({ endpoints, ...(needRestart.length === 0 ? {} : { needRestart }) }, 'endpoints reloaded');
    return {
      ok: true,
      endpoints,
      ...(removed.length === 0 ? {} : { removed }),
      ...(needRestart.length === 0 ? {} : { needRestart }),
    };
  };
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(reload);
    last = next;
    return next;
  };
}

const HOUR_MS = 3_600_000;

/**
 * The endpoints as they are served. One that was removed keeps the time that it was given, also when the list no longer
 * names it: the end of a half-written file is missing.
 */
export function serveEndpoints(
  { endpoints, removed }: Settings,
  nowMs: number,
  before?: Endpoints['removed'],
): Endpoints {
  const untilMs = nowMs + removed.forMs;
  const running = [...(before ?? [])].filter(
    ([name, endMs]) => !endpoints.byName.has(name) && (endMs > nowMs || removed.endpoints.includes(name)),
  );
  return {
    ...endpoints,
    removed: new Map([...removed.endpoints.map((name): [string, number] => [name, untilMs]), ...running]),
  };
}

/** Refuses settings that lack what is served now, unless the endpoint was removed on purpose. */
function refuseLost(before: Endpoints, settings: Settings): ReadAgain {
  const { endpoints, removed } = settings;
  const problems = [...before.byName].flatMap(([name, endpoint]) => {
    const now = endpoints.byName.get(name);
    if (now !== undefined) {
      return listLost(endpoint, now).map(
        (lost) =>
          `endpoints.${name} has lost ${lost}, and the service never repeats what is refused. If that is meant, restart the receiver.`,
      );
    }
    return removed.endpoints.includes(name)
      ? []
      : [
          `endpoints.${name} is gone, and the service never repeats what gets 404. To remove it on purpose, list it: removed: [${name}].`,
        ];
  });
  return problems.length === 0 ? { ok: true, settings } : { ok: false, problems };
}

function listLost(before: Endpoint, now: Endpoint): readonly string[] {
  return [
    ...(before.secrets.length > 0 && now.secrets.length === 0 ? ['its secrets'] : []),
    ...(before.unsigned !== undefined && now.unsigned === undefined ? ['unsigned'] : []),
  ];
}

type ReadAgain =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** `before` is the settings file that was read last; undefined if there was none. */
async function readAgain(
  environment: Environment,
  configPath: string | undefined,
  before: string | undefined,
): Promise<ReadAgain> {
  try {
    const { findSettings, receiverProblems } = await import('../settings/load.ts');
    const read = await findSettings(environment, configPath, receiverProblems);
    if (read.ok && before !== undefined && read.settings.file === undefined) {
      return { ok: false, problems: [`The settings file ${before} is gone.`] };
    }
    return read.ok ? read : { ok: false, problems: read.problems.map(formatProblem) };
  } catch (error) {
    const problem = error instanceof WrongUse ? error.message.trim() : 'The settings could not be read.';
    return { ok: false, problems: [problem] };
  }
}

/** The sections of the file that need a restart; the environment of a process does not change. */
const otherSections = {
  recipes: ({ recipes }: Settings) => recipes,
  'endpoints.*.recipes': ({ endpointRecipes }: Settings) => endpointRecipes,
  destinations: ({ policies, destinations }: Settings) => [policies, destinations.own],
  reconcile: ({ reconcile }: Settings) => reconcile,
} as const;

function listOtherChanges(before: Settings, now: Settings): readonly string[] {
  return Object.entries(otherSections).flatMap(([name, section]) =>
    JSON.stringify(section(before)) === JSON.stringify(section(now)) ? [] : [`${name} (of the worker)`],
  );
}
