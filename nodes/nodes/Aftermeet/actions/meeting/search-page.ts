import { type ReadPage, readSearchPage, ServiceError } from '@aftermeet/client/pure';

import { describeOperation, sendOperation, type SendOptions } from '../../transport/send-operation.ts';
import type { ServiceContext } from '../../transport/service-context.ts';
import type { WireFields } from '../../wire/build-wire-request.ts';
import { wireOperations } from '../../wire/wire-operations.ts';

/** One page of a search; `page` counts from 0. Throws `ServiceError`, also for an answer without a list of meetings. */
export async function askSearchPage(
  context: ServiceContext,
  fields: WireFields & { readonly page: number },
  options?: SendOptions,
): Promise<ReadPage> {
  const { status, body } = await sendOperation(context, 'meetings.search', fields, options);
  const page = readSearchPage(body, fields.page);
  if (page !== undefined) return page;
  const doing = describeOperation(wireOperations['meetings.search']);
  throw new ServiceError({
    code: 'unreadable',
    doing,
    status,
    detail: 'the answer holds no list of meetings',
  });
}
