import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { listPrebuiltRecipes, type PrebuiltRecipe, readOwnRecipe } from '@aftermeet/recipes';
import { z } from 'zod';

import { readErrorCode } from '../errors.ts';

/** A recipe that `use` names, or what is wrong with it. */
type OwnRecipeRead =
  | { readonly ok: true; readonly recipe: PrebuiltRecipe }
  | { readonly ok: false; readonly found: string; readonly expected: string };

/** The recipes of one's own, by what `use` says. */
export type OwnRecipes = ReadonlyMap<string, OwnRecipeRead>;

/**
 * Loads the files and packages that `use` names. A file is relative to `folder`, the folder of `aftermeet.yaml`; a package is
 * searched from there. What is neither a file nor an installed package is left out: it may be a prebuilt recipe, misspelt.
 */
export async function loadOwnRecipes(uses: readonly string[], folder: string): Promise<OwnRecipes> {
  const prebuilt = new Set(listPrebuiltRecipes().map(({ id }) => id));
  const own = new Map<string, OwnRecipeRead>();
  for (const use of new Set(uses)) {
    if (prebuilt.has(use)) continue;
    const file = isPath(use) ? resolve(folder, use) : findPackageEntry(use, folder);
    if (file !== undefined) own.set(use, await loadRecipe(use, file, prebuilt));
  }
  return own;
}

function isPath(use: string): boolean {
  return use.startsWith('./') || use.startsWith('../') || isAbsolute(use);
}

async function loadRecipe(use: string, file: string, prebuilt: ReadonlySet<string>): Promise<OwnRecipeRead> {
  if (!existsSync(file)) {
    return { ok: false, found: `${use}, which is not there`, expected: 'a file, relative to aftermeet.yaml' };
  }
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    const { default: exported } = z
      .looseObject({ default: z.unknown().optional() })
      .parse({ ...Object(module) });
    const read = readOwnRecipe(exported, use);
    if (!read.ok || !prebuilt.has(read.name)) return read;
    const found = `${use} with the name of a prebuilt recipe, ${JSON.stringify(read.name)}`;
    return { ok: false, found, expected: 'a name of its own' };
  } catch (error) {
    return explainFailure(error, use, file);
  }
}

function explainFailure(error: unknown, use: string, file: string): OwnRecipeRead {
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
function findPackageEntry(name: string, folder: string): string | undefined {
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
