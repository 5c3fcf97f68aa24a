import { createClient, ServiceError } from '@aftermeet/client';
import type { CheckResult } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { explainServiceError } from '../service/explain-service-error.ts';
import type { ServiceSettings } from '../settings/settings.ts';

const name = 'service';

/** Asks the service for the workspace's tags: the cheapest question that needs the key. */
export async function checkService(
  service: ServiceSettings | undefined,
  context: Pick<Context, 'client'>,
  timeoutMs: number,
): Promise<readonly CheckResult[]> {
  if (service === undefined) {
    const found = 'SERVICE_BASE_URL and SERVICE_API_KEY are not both set';
    return [{ name, result: 'failed', found, advice: 'Set them: the worker fetches the reports with them.' }];
  }
  try {
    const client = createClient({ ...service, ...context.client, retries: 0, timeoutMs });
    const tags = await client.tags.list();
    return [{ name, result: 'ok', found: `it takes the key (${tags.length} tags)` }];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message, advice } = explainServiceError(error);
    return [{ name, result: 'failed', found: message, ...(advice === undefined ? {} : { advice }) }];
  }
}
