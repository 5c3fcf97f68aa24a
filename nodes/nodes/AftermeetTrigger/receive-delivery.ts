import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { type DeliveryClaims, holdsKey, makeDeliveryKey, scopeDelivery } from './duplicates.ts';
import { type FetchedReport, fetchReport } from './fetch-report.ts';
import { passesFilters } from './filters.ts';
import {
  type DeliveryFacts,
  type DeliveryReading,
  readForwardedDelivery,
  readServiceDelivery,
  type TriggerEvent,
} from './read-delivery.ts';
import { describeRefusal, findRefusal, makeRefusalItem, type Refusal } from './refusal.ts';
import { type DeliverySettings, readTriggerSettings, type TriggerSettings } from './settings.ts';

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
  const nowMs = Date.now();
  const decision = decideDelivery(delivery, settings, nowMs);
  if (decision.fault !== undefined) {
    context.logger.warn(`Aftermeet Trigger: a delivery verifies, but is no event (${decision.fault})`);
  }
  // With Listen for test event: the editor shows the execution, and the same delivery may come again and again.
  const isTest = context.getMode() === 'manual';
  if (decision.refusal !== undefined) {
    const words = describeRefusal(decision.refusal, delivery, settings, nowMs);
    context.logger.warn(`Aftermeet Trigger: a delivery was refused (401). ${words.message}. ${words.advice}`);
    const answered = answer(context, decision);
    return isTest ? { ...answered, workflowData: [[makeRefusalItem(words)]] } : answered;
  }
  if (decision.accepted === undefined) return answer(context, decision);
  const { event, key } = decision.accepted;
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

/** What a delivery is answered, in the words of Aftermeet's receiver. The sender never hears why it is a 401. */
interface DeliveryAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

interface Decision extends DeliveryAnswer {
  /** What starts the workflow, and the key that it is known again by. */
  readonly accepted?: { readonly event: TriggerEvent; readonly key: string };
  /** Why it is a 401. */
  readonly refusal?: Refusal;
  /** Of a body that verifies but is no event: a name for the log. */
  readonly fault?: string;
}

const accepted: DeliveryAnswer = { status: 200, body: { status: 'accepted' } };

const duplicate: DeliveryAnswer = { status: 200, body: { status: 'duplicate' } };

/** The service never repeats another 4xx, so what is only not wanted is taken. */
const ignored: DeliveryAnswer = { status: 200, body: { status: 'ignored' } };

/** To be sent again: the service repeats a 5xx. */
const unavailable: DeliveryAnswer = {
  status: 503,
  body: { status: 'refused', reason: 'unavailable' },
};

const unauthorized: DeliveryAnswer = { status: 401, body: { status: 'refused', reason: 'unauthorized' } };

const malformed: DeliveryAnswer = { status: 400, body: { status: 'refused', reason: 'malformed' } };

/**
 * Decides over one delivery: first the signature, over the bytes as they came; only then is anything parsed (specification,
 * "Events", signature rules). No content of a request makes it throw; settings that can check nothing do (`RangeError`). Pure.
 */
export function decideDelivery(delivery: DeliveryFacts, settings: DeliverySettings, nowMs: number): Decision {
  const refusal = findRefusal(delivery, settings, nowMs);
  if (refusal !== undefined) return { ...unauthorized, refusal };
  const read = readDelivery(delivery, settings);
  if (!read.ok) return { ...malformed, fault: read.fault };
  if (!passesFilters(read.event, settings.filters)) return ignored;
  return { ...accepted, accepted: { event: read.event, key: makeDeliveryKey(read.identity) } };
}

function readDelivery(delivery: DeliveryFacts, { signedBy, headerNames }: DeliverySettings): DeliveryReading {
  return signedBy === 'receiver'
    ? readForwardedDelivery(delivery)
    : readServiceDelivery(delivery, headerNames);
}

/**
 * The request of a delivery, with its bytes as they came. n8n has read them already, but for a form of parts. Undefined when
 * they cannot be read: the sender disconnected, or sent too many.
 */
async function readRequest(context: IWebhookFunctions): Promise<DeliveryFacts | undefined> {
  const request = context.getRequestObject();
  try {
    // n8n's types say that it is always there.
    if ((request.rawBody as Buffer | undefined) === undefined) await request.readRawBody();
  } catch {
    return undefined;
  }
  const body: unknown = request.rawBody;
  return body instanceof Uint8Array ? { body, headers: request.headersDistinct } : undefined;
}

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
