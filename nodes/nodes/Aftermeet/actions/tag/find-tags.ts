import { type Tag, walkTags } from '@aftermeet/client/pure';
import { limits } from '@aftermeet/contract/pure';

import { describeOperation, sendOperation, type SendOptions } from '../../transport/send-operation.ts';
import type { ServiceContext } from '../../transport/service-context.ts';
import { wireOperations } from '../../wire/wire-operations.ts';

/** All tags, each once, from pages that end as in the client; a page is asked for only when it is wanted. */
export function findTags(
  context: ServiceContext,
  options?: SendOptions,
): AsyncGenerator<Tag, void, undefined> {
  const perPage = limits.tagPageSize;
  return walkTags(
    (cursor) => sendOperation(context, 'tags.list', { perPage, cursor }, options),
    describeOperation(wireOperations['tags.list']),
  );
}
