import type { Destinations } from './destinations.ts';
import type { ConfiguredRecipe } from './recipe.ts';

/**
 * The recipes of an installation that has no recipes in its settings: each configured destination gets
 * its own one, and what goes wrong is told in Slack, or by mail where there is no Slack and an address is named for it (MAIL_TO).
 */
export function standardRecipes(destinations: Destinations): readonly ConfiguredRecipe[] {
  const { slack, notion, mail } = destinations;
  return [
    ...(slack === undefined ? [] : ['slack-recap']),
    ...(notion === undefined ? [] : ['notion-page']),
    ...(mail === undefined ? [] : ['email-follow-up']),
    ...(slack === undefined ? [] : ['slack-alert']),
    ...(slack === undefined && mail !== undefined && mail.to.length > 0 ? ['email-alert'] : []),
  ].map((id) => ({ name: id, use: id, when: {}, with: {} }));
}
