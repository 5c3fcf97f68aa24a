import type { INodeExecutionData } from 'n8n-workflow';

import type { FetchedReport } from './fetch-report.ts';
import type { TriggerEvent } from './trigger-event.ts';

/**
 * The item that a workflow starts with: the event, the key that it is known again by however often it is sent (null where nothing was), and its report or why
 * there is none. Pure.
 */
export function makeTriggerItem(
  event: TriggerEvent,
  key: string | null,
  fetched?: FetchedReport,
): INodeExecutionData {
  const known = { ...event, delivery_key: key };
  if (fetched === undefined) return { json: known };
  return {
    json: fetched.ok
      ? { ...known, report: fetched.report }
      : { ...known, report: null, report_error: fetched.error },
  };
}
