import { z } from 'zod';

import type { Destinations } from '../destinations.ts';
import { findPrebuiltRecipe } from '../prebuilt/list-prebuilt-recipes.ts';
import { readText } from '../preview/loose-parts.ts';
import type { ConfiguredRecipe } from '../recipe.ts';
import { slackChannelId } from '../slack/slack-channel-id.ts';
import type { HttpNeed } from './check-http-address.ts';
import type { NotionNeed } from './check-notion.ts';
import type { SlackNeeds } from './check-slack.ts';

interface FolderNeed {
  readonly recipe: string;
  readonly folder: string;
}

const mappingSchema = z.record(z.string(), z.union([z.string(), z.literal(false)]));

/** What the recipes of an installation need of each destination. */
export interface Needs {
  readonly slack: SlackNeeds;
  readonly notion: readonly NotionNeed[];
  readonly http: readonly HttpNeed[];
  readonly folders: readonly FolderNeed[];
  /** Some mail may become a draft. */
  readonly hasDrafts: boolean;
}

/** Reads from the options of recipes what they need; those that can not run are left out. Pure. */
export function listNeeds(recipes: readonly ConfiguredRecipe[], destinations: Destinations): Needs {
  const of = (id: string): readonly ConfiguredRecipe[] => recipes.filter(({ use }) => use === id);
  const slackRecipes = recipes.filter(({ use }) => findPrebuiltRecipe(use)?.destination === 'slack');
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
    hasDrafts: of('email-follow-up').some((recipe) => recipe.with['external'] !== 'send'),
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
