import { operations } from '@aftermeet/contract';

import { AmbiguousWriteError } from '../ambiguous-write-error.ts';
import type { Client } from '../client.ts';
import { findSettlingCall } from '../doubt-write.ts';
import { listTags } from '../list-tags.ts';
import { describeOperation } from '../prepare-call.ts';
import { readCreatedTag } from '../read-tag.ts';
import { type Connection, sendRequest } from '../send-request.ts';

export function tagMethods(connection: Connection): Client['tags'] {
  return {
    list: (options) => listTags(connection, options),
    async create(input, options) {
      const operation = operations.tags.create;
      const { status, body } = await sendRequest(connection, operation, input, options);
      const tag = readCreatedTag(body);
      if (tag === undefined) {
        const doing = describeOperation(operation);
        const settleWith = findSettlingCall(operation.id, input, connection.clock());
        throw new AmbiguousWriteError({ doing, reason: 'the answer names no tag', settleWith, status });
      }
      return tag;
    },
    async attach(input, options) {
      return { raw: (await sendRequest(connection, operations.tags.attach, input, options)).body };
    },
    async detach(input, options) {
      return { raw: (await sendRequest(connection, operations.tags.detach, input, options)).body };
    },
  };
}
