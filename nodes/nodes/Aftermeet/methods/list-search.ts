import { type ILoadOptionsFunctions, type INodeListSearchResult, NodeOperationError } from 'n8n-workflow';

import { explainFailure } from '../transport/explain-failure.ts';
import { credentialName } from '../transport/read-credential.ts';
import { searchMeetings } from './search-meetings.ts';
import { searchTags } from './search-tags.ts';
import { searchTemplates } from './search-templates.ts';
import { searchTools } from './search-tools.ts';

/** One list of a resource locator: what fits the filter, a page at a time. */
export type ListSearch = (
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
) => Promise<INodeListSearchResult>;

type Search = (
  context: ILoadOptionsFunctions,
  filter: string,
  token: string | undefined,
) => Promise<INodeListSearchResult>;

/** The lists of the resource locators (locators.ts). */
export const listSearch = {
  searchMeetings: makeListSearch(searchMeetings),
  searchTags: makeListSearch(searchTags),
  searchTemplates: makeListSearch(searchTemplates),
  searchTools: makeListSearch(searchTools),
} as const satisfies Record<string, ListSearch>;

/** With errors that say what to do, as those of an execution. */
function makeListSearch(search: Search): ListSearch {
  return async function listFound(filter, paginationToken) {
    const node = this.getNode();
    if (node.credentials?.[credentialName] === undefined) {
      throw new NodeOperationError(node, 'Choose a credential first', {
        description: 'The list comes from the service, which wants to know the workspace.',
      });
    }
    try {
      return await search(this, filter?.trim() ?? '', paginationToken);
    } catch (error) {
      throw explainFailure(node, error);
    }
  };
}
