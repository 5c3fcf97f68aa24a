import type { INodeListSearchResult } from 'n8n-workflow';

import { takeUpTo } from '../actions/limit-parameters.ts';
import { findTags } from '../actions/tag/find-tags.ts';
import type { ServiceContext } from '../transport/service-context.ts';
import { keepMatching } from './keep-matching.ts';
import { listOptions } from './list-options.ts';

/** Nobody scrolls further, and every page is a request. */
const MAX_TAGS = 1000;

/** The service has no search for tags: all are read, as far as `MAX_TAGS`, and filtered here. */
export async function searchTags(context: ServiceContext, filter: string): Promise<INodeListSearchResult> {
  const tags = await takeUpTo(findTags(context, listOptions), MAX_TAGS);
  const results = tags.map(({ id, name }) => ({ name: name === '' ? id : name, value: id }));
  return { results: keepMatching(results, filter) };
}
