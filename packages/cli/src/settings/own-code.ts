import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  listPrebuiltRecipes,
  type OwnDestinationRead,
  type PrebuiltRecipe,
  readOwnDestination,
  readOwnRecipe,
} from '@aftermeet/recipes';
import { z } from 'zod';

import { readErrorCode } from '../errors.ts';

/** Code that `use` names, or what is wrong with it. */
type CodeRead<Code> =
  | ({ readonly ok: true } & Code)
  | { readonly ok: false; readonly found: string; readonly expected: string };

/** The code of an installation, by what `use` says. */
export interface OwnCode {
  readonly recipes: ReadonlyMap<string, CodeRead<{ readonly recipe: PrebuiltRecipe }>>;
  readonly destinations: ReadonlyMap<string, OwnDestinationRead>;
}

export const NO_CODE: OwnCode = { recipes: new Map(), destinations: new Map() };

interface Uses {
  readonly recipes: readonly string[];
  readonly destinations: readonly string[];
}

/**
 * Loads the files and packages that `use` names. A file is relative to `folder`, the folder of `aftermeet.yaml`; a package is
 * searched from there. What is neither a file nor an installed package is left out: it may be a prebuilt recipe, misspelt.
 */
export async function loadOwnCode(uses: Uses, folder: string): Promise<OwnCode> {
  const prebuilt = listPrebuiltRecipes().map(({ id }) => id);
  const recipes = uses.recipes.filter((use) => !prebuilt.includes(use));
  const readRecipe = (exported: unknown, use: string) => {
    const read = readOwnRecipe(exported, use);
    if (!read.ok || !prebuilt.includes(read.name)) return read;
    const found = `${use} with the name of a prebuilt recipe, ${JSON.stringify(read.name)}`;
    return { ok: false, found, expected: 'a name of its own' } as const;
  };
  return {
    recipes: await loadAll(recipes, folder, readRecipe),
    destinations: await loadAll(uses.destinations, folder, readOwnDestination),
  };
}

async function loadAll<Code>(
  uses: readonly string[],
  folder: string,
  read: (exported: unknown, use: string) => CodeRead<Code>,
): Promise<ReadonlyMap<string, CodeRead<Code>>> {
  const loaded = new Map<string, CodeRead<Code>>();
  for (const use of new Set(uses)) {
    const file = isPath(use) ? resolve(folder, use) : findPackageEntry(use, folder);
    if (file === undefined) continue;
    const found = await loadDefault(use, file);
    loaded.set(use, found.ok ? read(found.exported, use) : found);
  }
  return loaded;
}

/** Why there is no code. */
export function missingCode(use: string, expected: string) {
  return { ok: false, found: `${use}, which is not there`, expected } as const;
}

function isPath(use: string): boolean {
  return use.startsWith('./') || use.startsWith('../') || isAbsolute(use);
}

async function loadDefault(use: string, file: string): Promise<CodeRead<{ readonly exported: unknown }>> {
  if (!existsSync(file)) return missingCode(use, 'a file, relative to aftermeet.yaml');
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    const { default: exported } = z
      .looseObject({ default: z.unknown().optional() })
      .parse({ ...Object(module) });
    return { ok: true, exported };
  } catch (error) {
    return explainFailure(error, use, file);
  }
}

function explainFailure(error: unknown, use: string, file: string): CodeRead<never> {
  const code = readErrorCode(error);
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(file)) {
    const expected = 'Node 22.18 or newer, which runs TypeScript, or a .js file';
    return { ok: false, found: `${use} with Node ${process.versions.node}`, expected };
  }
  const { name = 'Error', message = '', stack = '' } = error instanceof Error ? error : {};
  const line =
    readLine(stack, file) ?? (name === 'SyntaxError' ? readLine(checkSyntax(file), file) : undefined);
  const place = line === undefined ? use : `${use}:${line}`;
  const words = message.split('\n')[0]?.slice(0, 300) ?? '';
  return {
    ok: false,
    found: `${place}, which cannot be loaded: ${name}: ${words}`,
    expected: 'a module that runs',
  };
}

function readLine(text: string, file: string): string | undefined {
  return text.split(file)[1]?.match(/^:(\d+)/)?.[1];
}

/** What Node prints of a file that does not compile: only there it says on which line. */
function checkSyntax(file: string): string {
  return spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 }).stderr;
}

const packageSchema = z.looseObject({ exports: z.unknown().optional(), main: z.string().optional() });

const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;

/** The entry of an installed package; undefined when there is none of that name. */
export function findPackageEntry(name: string, folder: string): string | undefined {
  if (!packageName.test(name)) return undefined;
  for (let at = resolve(folder); ; at = dirname(at)) {
    const installed = join(at, 'node_modules', name);
    const entry = readEntry(installed);
    if (entry !== undefined) return join(installed, entry);
    if (at === dirname(at)) return undefined;
  }
}

function readEntry(installed: string): string | undefined {
  const manifest = join(installed, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { exports, main } = packageSchema.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  return chooseExport(exports) ?? main ?? 'index.js';
}

const conditionsSchema = z.looseObject({
  '.': z.unknown().optional(),
  import: z.unknown().optional(),
  node: z.unknown().optional(),
  default: z.unknown().optional(),
});

function chooseExport(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const conditions = conditionsSchema.safeParse(value).data;
  if (conditions === undefined) return undefined;
  const { '.': main, import: imported, node, default: fallback } = conditions;
  return chooseExport(main ?? imported ?? node ?? fallback);
}
