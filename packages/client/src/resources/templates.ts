import { operations } from '@aftermeet/contract';

import type { Client, Template } from '../client.ts';
import { findList } from '../find-list.ts';
import { describeOperation } from '../prepare-call.ts';
import { asFields, firstText, readFirst } from '../report/loose.ts';
import { asId } from '../report/read-id.ts';
import { type Connection, sendRequest } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';

const listNames = ['templates', 'custom_templates', 'customTemplates', 'items', 'results'] as const;

export function templateMethods(connection: Connection): Client['templates'] {
  return {
    async list(options) {
      const operation = operations.templates.list;
      const { status, body } = await sendRequest(connection, operation, {}, options);
      const items = findList(body, listNames);
      if (items === undefined) {
        const detail = 'the answer holds no list of templates';
        throw new ServiceError({ code: 'unreadable', doing: describeOperation(operation), status, detail });
      }
      return items.flatMap(readTemplate);
    },
  };
}

function readTemplate(raw: unknown): Template[] {
  const fields = asFields(raw) ?? {};
  const id = readFirst(fields, ['id', 'template_id', 'templateId', 'uuid'], asId);
  if (id === undefined) return [];
  return [{ id, name: firstText(fields, 'name', 'template_name', 'title') ?? 'Untitled', raw }];
}
