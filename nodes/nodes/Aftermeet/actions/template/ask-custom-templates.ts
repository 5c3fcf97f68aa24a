import { readTemplateList, ServiceError, type Template } from '@aftermeet/client/pure';

import { describeOperation, sendOperation, type SendOptions } from '../../transport/send-operation.ts';
import type { ServiceContext } from '../../transport/service-context.ts';
import { wireOperations } from '../../wire/wire-operations.ts';

/** The templates of the workspace's own, whose id serves as `template_name`. Throws `ServiceError`, also for an answer without a list. */
export async function askCustomTemplates(
  context: ServiceContext,
  options?: SendOptions,
): Promise<readonly Template[]> {
  const { status, body } = await sendOperation(context, 'templates.list', {}, options);
  const templates = readTemplateList(body);
  if (templates !== undefined) return templates;
  const doing = describeOperation(wireOperations['templates.list']);
  const detail = 'the answer holds no list of templates';
  throw new ServiceError({ code: 'unreadable', doing, status, detail });
}
