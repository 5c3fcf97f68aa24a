import type { Log } from '@aftermeet/queue';
import type { Endpoints, ReloadResult } from '@aftermeet/receiver';

import { formatProblem, WrongUse } from '../errors.ts';
import type { Environment, Settings } from '../settings/settings.ts';

export interface ReloadOptions {
  readonly environment: Environment;
  readonly configPath: string | undefined;
  /** The settings that the process was started with. */
  readonly settings: Settings;
  /** Replaces the current endpoints. */
  readonly replace: (endpoints: Endpoints) => void | Promise<void>;
  readonly log: Log;
}

/**
 * Reads the settings file again and replaces the endpoints, nothing else; other changed sections are reported as
 * needing a restart. With a problem everything stays as it is. A file that has disappeared is a problem, because the
 * service drops events that a lost endpoint answers with 404. Reloads run one after the other, so that an older file
 * never replaces a newer one. Never rejects.
 */
export function createReload(options: ReloadOptions): () => Promise<ReloadResult> {
  const { environment, configPath, settings, replace, log } = options;
  let { file } = settings;
  let names = [...settings.endpoints.byName.keys()];
  const reload = async (): Promise<ReloadResult> => {
    const read = await readAgain(environment, configPath, file);
    if (!read.ok) {
      log.error({ problems: read.problems }, 'endpoints unchanged: the settings cannot be used');
      return read;
    }
    await replace(read.settings.endpoints);
    const endpoints = [...read.settings.endpoints.byName.keys()];
    const removed = names.filter((name) => !endpoints.includes(name));
    const needRestart = listOtherChanges(settings, read.settings);
    ({ file } = read.settings);
    names = endpoints;
    if (removed.length > 0) log.warn({ removed }, 'endpoints removed: their deliveries get 404');
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
