import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { checkConfiguredRecipe } from '@aftermeet/recipes';

import { readErrorCode, type SettingProblem, wrongSettings, WrongUse } from '../errors.ts';
import { readSettingsFile } from './file.ts';
import { loadOwnCode } from './own-code.ts';
import type { PeopleRows } from './people-file.ts';
import { findPeopleFile } from './people.ts';
import { readSettings, type SettingsRead } from './resolve.ts';
import { createSecretFileReader } from './secret-files.ts';
import type { Environment, ServiceSettings, Settings } from './settings.ts';
import { joinProblems } from './usable-parts.ts';

const DEFAULT_FILE = 'aftermeet.yaml';

const MAX_FILE_BYTES = 1024 * 1024;

/** What prevents a command from running with these settings. */
type CheckSettings = (settings: Settings) => readonly SettingProblem[];

/** Loads the settings; throws `WrongUse` with all problems, those of `check` among them. */
export async function loadSettings(
  environment: Environment,
  configPath?: string,
  check?: CheckSettings,
): Promise<Settings> {
  const read = await findSettings(environment, configPath, check);
  if (!read.ok) throw wrongSettings(read.problems);
  return read.settings;
}

/** The same with the problems as a value; throws `WrongUse` if the file itself can't be read. */
export async function findSettings(
  environment: Environment,
  configPath?: string,
  check: CheckSettings = () => [],
): Promise<SettingsRead> {
  const named = configPath ?? environment['AFTERMEET_CONFIG'];
  const path = resolve(named ?? DEFAULT_FILE);
  let text: string | undefined;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      throw new WrongUse(
        `The settings file ${path} has ${size} bytes; expected at most ${MAX_FILE_BYTES}.\n`,
      );
    }
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof WrongUse) throw error;
    if (readErrorCode(error) !== 'ENOENT' || named !== undefined) {
      throw new WrongUse(`The settings file ${path} can't be read. Check --config or AFTERMEET_CONFIG.\n`);
    }
  }
  const readSecretFile = createSecretFileReader(dirname(path));
  const { values } = readSettingsFile(text ?? '', environment, readSecretFile);
  const uses = {
    recipes: Object.values(values?.recipes ?? {}).map(({ use }) => use),
    destinations: (values?.destinations?.own ?? []).map(({ use }) => use),
  };
  const code = await loadOwnCode(uses, dirname(path));
  const peopleFile = findPeopleFile(values?.people);
  const peopleRows =
    peopleFile === undefined ? undefined : await readPeopleFile(resolve(dirname(path), peopleFile));
  const read = readSettings(environment, text, readSecretFile, code, peopleRows);
  const settings = read.settings && (text === undefined ? read.settings : { ...read.settings, file: path });
  const problems = joinProblems(read.ok ? [] : read.problems, settings === undefined ? [] : check(settings));
  return settings !== undefined && problems.length === 0
    ? { ok: true, settings }
    : { ok: false, problems, settings };
}

/** Undefined: it cannot be read. */
async function readPeopleFile(path: string): Promise<PeopleRows | undefined> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) return undefined;
    const { readPeopleRows } = await import('./people-file.ts');
    return readPeopleRows(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The system and the version of Node that run this process. */
interface Runtime {
  readonly platform: string;
  readonly nodeVersion: string;
}

const ownRuntime: Runtime = { platform: process.platform, nodeVersion: process.versions.node };

/** What prevents the start of a receiver with these settings. */
export function receiverProblems(
  settings: Settings,
  runtime: Runtime = ownRuntime,
): readonly SettingProblem[] {
  return [...endpointProblems(settings), ...reusePortProblems(settings, runtime)];
}

/** If the system or Node cannot share a port, Node ignores the option and the second receiver fails to listen. */
function reusePortProblems(
  { reusePort }: Settings,
  { platform, nodeVersion }: Runtime,
): readonly SettingProblem[] {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const canReuse = platform === 'linux' && (major > 22 || (major === 22 && minor >= 12));
  if (!reusePort || canReuse) return [];
  return [
    {
      setting: 'REUSE_PORT',
      found: `1 with Node ${nodeVersion} on ${platform}`,
      expected:
        'Linux and Node 22.12 or newer; elsewhere run each receiver on its own PORT behind a balancer',
    },
  ];
}

/** An endpoint without a secret would accept forged deliveries. */
function endpointProblems(settings: Settings): readonly SettingProblem[] {
  if (settings.endpoints.byName.size === 0) {
    return [
      {
        setting: 'WEBHOOK_SECRET',
        found: 'nothing',
        expected:
          'the webhook_secret that recordings are started with (16 to 128 characters), or endpoints in aftermeet.yaml',
      },
    ];
  }
  if (settings.endpoints.masterSecret !== undefined) return [];
  return [...settings.endpoints.byName].flatMap(([name, endpoint]) => [
    // An endpoint that accepts unsigned deliveries has its own problem below.
    ...(endpoint.secrets.length > 0 || endpoint.unsigned !== undefined
      ? []
      : [
          {
            setting: `endpoints.${name}.secrets`,
            found: 'nothing',
            expected: 'at least one secret, or WEBHOOK_MASTER_SECRET',
          },
        ]),
    ...(endpoint.unsigned === undefined
      ? []
      : [
          {
            setting: `endpoints.${name}.unsigned`,
            found: `${endpoint.unsigned} without WEBHOOK_MASTER_SECRET`,
            expected: 'WEBHOOK_MASTER_SECRET: only its addresses accept unsigned deliveries',
          },
        ]),
  ]);
}

/** What prevents the start of a worker; without a recipe it would discard events. */
export function workerProblems(settings: Settings): readonly SettingProblem[] {
  return [...serviceProblems(settings.service), ...recipeProblems(settings)];
}

/** What prevents the recipes from running. */
export function recipeProblems(settings: Settings): readonly SettingProblem[] {
  return [
    ...(settings.recipes.length > 0
      ? []
      : [
          {
            setting: 'SLACK_BOT_TOKEN, NOTION_TOKEN or SMTP_URL',
            found: 'nothing',
            expected: 'at least one destination with its variables, or recipes in aftermeet.yaml',
          },
        ]),
    ...settings.recipes.flatMap((recipe) => checkConfiguredRecipe(recipe, settings.destinations)),
  ];
}

function serviceProblems(service: ServiceSettings | undefined): readonly SettingProblem[] {
  return service === undefined
    ? [
        {
          setting: 'SERVICE_BASE_URL and SERVICE_API_KEY',
          found: 'one or both not set',
          expected: "the service's address and key",
        },
      ]
    : [];
}
