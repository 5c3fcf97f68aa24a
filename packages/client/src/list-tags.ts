import { limits, operations } from '@aftermeet/contract';

import type { Tag } from './client.ts';
import { describeOperation } from './prepare-call.ts';
import { type CallOptions, type Connection, sendRequest } from './send-request.ts';
import { walkTags } from './walk-tags.ts';

/** All tags of the workspace, from every page. */
export async function listTags(connection: Connection, options?: CallOptions): Promise<readonly Tag[]> {
  const operation = operations.tags.list;
  const askPage = async (cursor: string | undefined) => {
    const input = { perPage: limits.tagPageSize, ...(cursor === undefined ? {} : { cursor }) };
    return await sendRequest(connection, operation, input, options);
  };
  const tags: Tag[] = [];
  for await (const tag of walkTags(askPage, describeOperation(operation))) tags.push(tag);
  return tags;
}
