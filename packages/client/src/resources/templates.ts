import { operations } from '@aftermeet/contract';

import type { Client } from '../client.ts';
import { describeOperation } from '../prepare-call.ts';
import { readTemplateList } from '../read-template-list.ts';
import { type Connection, sendRequest } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';

export function templateMethods(connection: Connection): Client['templates'] {
  return {
    async list(options) {
      const operation = operations.templates.list;
      const { status, body } = await sendRequest(connection, operation, {}, options);
      const templates = readTemplateList(body);
      if (templates !== undefined) return templates;
      const detail = 'the answer holds no list of templates';
      throw new ServiceError({ code: 'unreadable', doing: describeOperation(operation), status, detail });
    },
  };
}
