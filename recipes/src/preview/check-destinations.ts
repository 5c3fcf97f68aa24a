import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { z } from 'zod';

import { guardAddress, resolveHost, type ResolveHost } from '../destinations/http/guard-address.ts';
import { checkDataSource } from '../destinations/notion/data-source.ts';
import type { PropertyMapping } from '../destinations/notion/page.ts';
import type { NotionSettings } from '../destinations/notion/settings.ts';
import type { Destinations } from '../destinations/settings.ts';
import { slackChannelId } from '../destinations/slack/message.ts';
import type { ConfiguredRecipe } from '../engine/recipe.ts';
import { findDefinition } from '../prebuilt/list-prebuilt-recipes.ts';
import { checkDkim, checkMailbox, checkMailServer, checkInternalDomains } from './check-mail.ts';
import { type CheckResult, failed, ok } from './check-result.ts';
import { checkSlack, type SlackNeeds } from './check-slack.ts';
import { readText } from './show-mentions.ts';

/**
 * Checks every configured destination, and the folders and addresses of recipes. Sends and writes nothing. Each promise settles
 * on its own and never rejects; `timeoutMs` limits each call.
 */
export function checkDestinations(
  destinations: Destinations,
  recipes: readonly ConfiguredRecipe[],
  timeoutMs: number,
): readonly Promise<readonly CheckResult[]>[] {
  const { slack, notion, email: mail } = destinations;
  const needs = listNeeds(recipes, destinations);
  return [
    ...(slack === undefined ? [] : [checkSlack(slack, needs.slack, timeoutMs)]),
    ...(notion === undefined ? [] : needs.notion.map((need) => alone(checkNotion(notion, need, timeoutMs)))),
    ...(mail === undefined ? [] : [alone(checkMailServer(mail, timeoutMs))]),
    ...(mail === undefined ? [] : [Promise.resolve(checkInternalDomains(mail))]),
    ...(mail?.dkim === undefined ? [] : [Promise.resolve([checkDkim(mail.dkim)])]),
    ...(mail?.imap === undefined ? [] : [alone(checkMailbox(mail.imap, timeoutMs))]),
    ...needs.http.map((need) => alone(checkHttpAddress(need, timeoutMs))),
    ...needs.folders.map(({ recipe, folder }) => alone(checkFolder(`folder of ${recipe}`, folder))),
  ];
}

async function alone(check: Promise<CheckResult>): Promise<readonly CheckResult[]> {
  return [await check];
}

interface FolderNeed {
  readonly recipe: string;
  readonly folder: string;
}

const mappingSchema = z.record(z.string(), z.union([z.string(), z.literal(false)]));

/** What the configured recipes need from each destination. */
interface Needs {
  readonly slack: SlackNeeds;
  readonly notion: readonly NotionNeed[];
  readonly http: readonly HttpNeed[];
  readonly folders: readonly FolderNeed[];
}

/** Lists what the options of recipes need; recipes that cannot run are left out. Pure. */
export function listNeeds(recipes: readonly ConfiguredRecipe[], destinations: Destinations): Needs {
  const of = (id: string): readonly ConfiguredRecipe[] => recipes.filter(({ use }) => use === id);
  const slackRecipes = recipes.filter((recipe) => findDefinition(recipe)?.destination === 'slack');
  const channels = slackRecipes.map(({ use, with: values }) =>
    use === 'slack-tasks'
      ? readText(values['fallback'])
      : readText(values['channel']) || (destinations.slack?.channel ?? ''),
  );
  return {
    slack: {
      channels: [...new Set(channels)].filter((id) => slackChannelId.test(id)),
      hasFiles: slackRecipes.some((recipe) => Object.hasOwn(recipe.with, 'file')),
      findsPeople: slackRecipes.some(
        ({ use, with: values }) =>
          use === 'slack-tasks' || (use === 'slack-recap' && values['mention'] !== false),
      ),
      writesToPeople: of('slack-tasks').length > 0,
    },
    notion: [
      ...of('notion-page').flatMap((recipe) => readNotionNeed(recipe, 'meeting', destinations)),
      ...of('notion-tasks').flatMap((recipe) => readNotionNeed(recipe, 'task', destinations)),
    ],
    http: of('http-forward').map((recipe) => ({
      recipe: recipe.name,
      url: readText(recipe.with['url']),
      isPrivateAllowed: recipe.with['allow'] === 'private',
    })),
    folders: of('archive-export').map((recipe) => ({
      recipe: recipe.name,
      folder: readText(recipe.with['folder']),
    })),
  };
}

function readNotionNeed(
  recipe: ConfiguredRecipe,
  kind: NotionNeed['kind'],
  { notion }: Destinations,
): readonly NotionNeed[] {
  const dataSourceId = readText(recipe.with['dataSource']) || notion?.dataSourceId;
  const mapping = mappingSchema.safeParse(recipe.with['properties']).data ?? {};
  return dataSourceId === undefined ? [] : [{ recipe: recipe.name, dataSourceId, kind, mapping }];
}

/** A data source that a recipe writes to. */
interface NotionNeed {
  readonly recipe: string;
  readonly dataSourceId: string;
  readonly kind: 'meeting' | 'task';
  readonly mapping: PropertyMapping;
}

/** Compares the properties of a data source with those that a recipe fills in. Never throws. */
async function checkNotion(
  settings: NotionSettings,
  { recipe, dataSourceId, kind, mapping }: NotionNeed,
  timeoutMs: number,
): Promise<CheckResult> {
  const name = `Notion data source of ${recipe}`;
  const check = await checkDataSource(settings, dataSourceId, mapping, kind, timeoutMs);
  if (check.ok) return ok(name, ['it can be filled', ...check.notes].join('; '));
  return failed(
    name,
    check.problems.join('; '),
    'Share the data source with the integration (Connections), and look at its properties.',
  );
}

/** Checks whether a folder is writable, without writing. */
export async function checkFolder(name: string, folder: string): Promise<CheckResult> {
  const path = resolve(folder);
  try {
    if (!(await stat(path)).isDirectory()) return failed(name, `${path} is no folder`);
    await access(path, constants.W_OK | constants.X_OK);
    return ok(name, `${path} can be written`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT') return failed(name, `${path} is not there`, 'Make it.');
    return failed(name, `${path} can't be written (${code})`, 'Give this user the right to.');
  }
}

/** An address that a recipe posts to. */
interface HttpNeed {
  readonly recipe: string;
  readonly url: string;
  /** Private networks are allowed. */
  readonly isPrivateAllowed: boolean;
}

/** Resolves the host of an address and checks whether it may be posted to. Sends nothing and shows the host only. */
export async function checkHttpAddress(
  { recipe, url, isPrivateAllowed }: HttpNeed,
  timeoutMs: number,
  resolveName: ResolveHost = resolveHost,
): Promise<CheckResult> {
  const name = `address of ${recipe}`;
  if (!URL.canParse(url)) return failed(name, 'it is no address');
  const address = new URL(url);
  const guarded = await guardAddress(address, { isPrivateAllowed, resolve: resolveName, timeoutMs });
  return guarded.result === 'allowed'
    ? ok(name, `${address.host} can be posted to`)
    : failed(name, `${address.host}: ${guarded.cause}`);
}
