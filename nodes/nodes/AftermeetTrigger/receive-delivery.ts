import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import {
  accepted,
  type DeliveryAnswer,
  decideDelivery,
  duplicate,
  ignored,
  unavailable,
} from './decide-delivery.ts';
import type { DeliveryClaims } from './delivery-claims.ts';
import { scopeDelivery } from './delivery-scope.ts';
import { passesFilters } from './event-filters.ts';
import { type FetchedReport, fetchReport } from './fetch-report.ts';
import { holdsKey } from './kept-keys.ts';
import { readRequest } from './read-request.ts';
import { readTriggerSettings, type TriggerSettings } from './read-trigger-settings.ts';
import { makeTriggerItem } from './trigger-item.ts';

/** The service waits for ten seconds, and n8n stores the execution after this. */
const REPORT_WITHIN_MS = 6000;
/** After it is given up by its sender; what takes longer is stored by an n8n that has worse to care for. */
const STORED_WITHIN_MS = 60_000;

/**
 * Answers one delivery: 200 with an execution or without one, 401, 400, or 503 for what is to be sent again. Nothing but a
 * genuine delivery creates an execution, and none is answered 200 before n8n has stored its execution.
 */
export async function receiveDelivery(
  context: IWebhookFunctions,
  claims: DeliveryClaims,
): Promise<IWebhookResponseData> {
  const delivery = await readRequest(context);
  const settings = delivery === undefined ? undefined : await readSettings(context);
  if (delivery === undefined || settings === undefined) return answer(context, unavailable);
  const decision = decideDelivery(delivery, settings, Date.now());
  if (decision.fault !== undefined) {
    context.logger.warn(`Aftermeet Trigger: a delivery verifies, but is no event (${decision.fault})`);
  }
  if (decision.accepted === undefined) return answer(context, decision);
  const { event, key } = decision.accepted;
  // Whoever tries the workflow out sends the same again and again.
  const isTest = context.getMode() === 'manual';
  const state = isTest ? 'free' : lookUp(context, claims, key);
  if (state === 'done') return answer(context, duplicate);
  if (state === 'under way') return answer(context, unavailable);
  let isAccepted = false;
  const release = isTest ? undefined : claim(context, claims, key);
  try {
    const fetched = await fetchWanted(context, settings, event);
    if (fetched?.ok === true && !passesFilters(event, settings.filters, fetched.facts))
      return answer(context, ignored);
    isAccepted = true;
    return { webhookResponse: accepted.body, workflowData: [[makeTriggerItem(event, key, fetched)]] };
  } finally {
    release?.(isAccepted);
  }
}

/** Undefined, with a line in the log, when nothing can be checked: then a delivery is to come again. */
async function readSettings(context: IWebhookFunctions): Promise<TriggerSettings | undefined> {
  try {
    return await readTriggerSettings(context);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown';
    context.logger.error(`Aftermeet Trigger cannot check deliveries: ${message}`);
    return undefined;
  }
}

async function fetchWanted(
  context: IWebhookFunctions,
  { fetchesReport }: TriggerSettings,
  { event, meeting_id: meetingId }: { readonly event: string; readonly meeting_id: string },
): Promise<FetchedReport | undefined> {
  if (!fetchesReport || event !== 'meeting.completed') return undefined;
  return await fetchReport(context, meetingId, { withinMs: REPORT_WITHIN_MS, retries: 1 });
}

function lookUp(
  context: IWebhookFunctions,
  claims: DeliveryClaims,
  key: string,
): ReturnType<DeliveryClaims['look']> {
  return holdsKey(context.getWorkflowStaticData('node')['deliveries'], key)
    ? 'done'
    : claims.look(scopeDelivery(context, key), Date.now());
}

/**
 * Until the sender has its answer, and at least until the work here is done, which what is returned says: a sender that went away
 * in between may be back with the same delivery before that.
 */
function claim(
  context: IWebhookFunctions,
  claims: DeliveryClaims,
  key: string,
): (isAccepted: boolean) => void {
  const response = context.getResponseObject();
  const scoped = scopeDelivery(context, key);
  let isWorking = true;
  let mayBeStored = false;
  const end = (): void => {
    if (isWorking || !response.destroyed) return;
    claims.end(scoped, response.writableFinished && response.statusCode < 300);
    if (mayBeStored && !response.writableFinished) claims.linger(scoped, Date.now() + STORED_WITHIN_MS);
  };
  claims.begin(scoped);
  response.once('close', end);
  return (isAccepted) => {
    isWorking = false;
    mayBeStored = isAccepted;
    end();
  };
}

/** Without an execution. */
function answer(context: IWebhookFunctions, { status, body }: DeliveryAnswer): IWebhookResponseData {
  if (status === 200) return { webhookResponse: body };
  const response = context.getResponseObject();
  if (status === 503) response.setHeader('Retry-After', '30');
  response.status(status).json(body);
  return { noWebhookResponse: true };
}
