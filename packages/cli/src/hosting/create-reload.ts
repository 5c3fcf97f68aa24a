import type { Log } from '@aftermeet/queue';
import type { Endpoints, ReloadResult } from '@aftermeet/receiver';

import { findSettings } from '../settings/load-settings.ts';
import { formatProblem } from '../settings/problem.ts';
import { receiverProblems } from '../settings/require-settings.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { WrongUse } from '../wrong-use.ts';

export interface ReloadOptions {
  readonly environment: Environment;
  readonly configPath: string | undefined;
  /** With which this process was started. */
  readonly settings: Settings;
  /** From here on these endpoints hold. */
  readonly replace: (endpoints: Endpoints) => void | Promise<void>;
  readonly log: Log;
}

/**
 * Reads the settings file anew and replaces the endpoints, nothing else: what else has changed needs a restart and is
 * named. With a problem everything stays as it is; a file that was there and is gone is one, because the service
 * forgets for ever what a lost endpoint answers with 404. One at a time, in the order in which they were asked for, so that
 * an older file never takes the place of a newer one. Never rejects.
 */
export function createReload({
  environment,
  configPath,
  settings,
  replace,
  log,
}: ReloadOptions): () => Promise<ReloadResult> {
  let { file } = settings;
  let names = [...settings.endpoints.byName.keys()];
  const reload = async (): Promise<ReloadResult> => {
    const read = await readAnew(environment, configPath, file);
    if (!read.ok) {
      log.error({ problems: read.problems }, 'the endpoints stay as they are: the settings can not be used');
      return read;
    }
    await replace(read.settings.endpoints);
    const endpoints = [...read.settings.endpoints.byName.keys()];
    const removed = names.filter((name) => !endpoints.includes(name));
    const needRestart = listOtherChanges(settings, read.settings);
    ({ file } = read.settings);
    names = endpoints;
    if (removed.length > 0) log.warn({ removed }, 'endpoints are gone: their deliveries get 404 from now on');
    log.info({ endpoints, ...(needRestart.length === 0 ? {} : { needRestart }) }, 'endpoints read anew');
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

type ReadAnew =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** `before` is the settings file that was read last, where there was one. */
async function readAnew(
  environment: Environment,
  configPath: string | undefined,
  before: string | undefined,
): Promise<ReadAnew> {
  try {
    const read = await findSettings(environment, configPath);
    if (read.ok && before !== undefined && read.settings.file === undefined) {
      return { ok: false, problems: [`The settings file ${before} is gone.`] };
    }
    const problems = read.ok ? receiverProblems(read.settings) : read.problems;
    return read.ok && problems.length === 0 ? read : { ok: false, problems: problems.map(formatProblem) };
  } catch (error) {
    const problem = error instanceof WrongUse ? error.message.trim() : 'The settings could not be read.';
    return { ok: false, problems: [problem] };
  }
}

/** Of the file: the environment of a process does not change. */
const otherParts = {
  recipes: ({ recipes }: Settings) => recipes,
  'endpoints.*.recipes': ({ endpointRecipes }: Settings) => endpointRecipes,
  destinations: ({ policies }: Settings) => policies,
  reconcile: ({ reconcile }: Settings) => reconcile,
} as const;

function listOtherChanges(before: Settings, now: Settings): readonly string[] {
  return Object.entries(otherParts).flatMap(([name, part]) =>
    JSON.stringify(part(before)) === JSON.stringify(part(now)) ? [] : [`${name} (of the worker)`],
  );
}
