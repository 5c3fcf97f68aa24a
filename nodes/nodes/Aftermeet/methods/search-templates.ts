import { templateSlugs } from '@aftermeet/contract/pure';
import type { INodeListSearchResult } from 'n8n-workflow';

import { askCustomTemplates } from '../actions/template/ask-custom-templates.ts';
import type { ServiceContext } from '../transport/service-context.ts';
import { keepMatching } from './keep-matching.ts';
import { listOptions } from './list-options.ts';

/** The built-in templates, then those of the workspace; filtered here. */
export async function searchTemplates(
  context: ServiceContext,
  filter: string,
): Promise<INodeListSearchResult> {
  const custom = await askCustomTemplates(context, listOptions);
  const results = [
    ...templateSlugs.map(({ name, slug }) => ({ name, value: slug })),
    // A workspace may have a "Daily" of its own.
    ...custom.map(({ id, name }) => ({ name: `${name} (custom)`, value: id })),
  ];
  return { results: keepMatching(results, filter) };
}
