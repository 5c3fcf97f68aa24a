import { type ReportAnswer, ServiceError } from '@aftermeet/client';

import type { CarrierTools, ServiceActions } from '../open-carriers.ts';
import type { Carrier, NotSent, Preparation, ProbeResult, SendResult } from '../shipment.ts';
import { explainServiceFault } from './explain-service-fault.ts';
import { hasTemplate, isBuiltIn } from './has-template.ts';
import { nameRegeneratedEvent, writeRegeneratedEvent } from './regenerated-event.ts';
import type { ServiceOrder } from './service-order.ts';

/**
 * Opens the service as a destination: it makes a report again with another template, and once that is ordered an event is
 * queued for the other recipes, which wait while the report is not ready. Whether the service delivers one itself is not
 * shown; should it, the same report is sent nowhere twice.
 *
 * An order that was given twice costs twice, and a report can call its templates anything. So one whose answer was lost
 * is never given again because the template is not seen: only a person can say that it was not taken.
 */
export function openService(
  { service, addEvent, clock }: CarrierTools,
  timeoutMs: number,
): Carrier<ServiceOrder> {
  return {
    prepare: async (order, { effectKey, occurrence }): Promise<Preparation> => {
      if (service === undefined) {
        return { result: 'permanent', cause: 'no report can be made without the service', contact: 'none' };
      }
      const found = await findNames(service, order, timeoutMs);
      if (found.result !== 'found') return found;
      const { meetingId, endpoint, template } = order;
      const desk: Desk = {
        service,
        order,
        timeoutMs,
        has: ({ report }) => hasTemplate(listShown(report), { template, names: found.names }),
        announce: async (title) => {
          const report = {
            meetingId,
            title,
            endpoint,
            ...(occurrence === undefined ? {} : { after: occurrence }),
          };
          await addEvent?.(nameRegeneratedEvent(effectKey), writeRegeneratedEvent(report, clock()));
        },
      };
      return {
        result: 'ready',
        shipment: { timeoutMs, send: () => generate(desk), probe: () => look(desk) },
      };
    },
    close: async () => {},
  };
}

type ReadyReport = Extract<ReportAnswer, { ready: true }>;

interface Desk {
  readonly service: ServiceActions;
  readonly order: ServiceOrder;
  readonly timeoutMs: number;
  /** The report shows the template that is ordered. */
  has(answer: ReadyReport): boolean;
  /** Queues the event of the new report; again is harmless. */
  announce(title: string): Promise<void>;
}

/** Names that reports may have for the template; a custom one is called as in the list of the workspace. */
async function findNames(
  { templates }: ServiceActions,
  { template, shownAs }: ServiceOrder,
  timeoutMs: number,
): Promise<{ readonly result: 'found'; readonly names: readonly string[] } | NotSent> {
  const names = shownAs === undefined ? [] : [shownAs];
  if (templates === undefined || isBuiltIn(template)) return { result: 'found', names };
  try {
    const listed = await templates.list({ signal: AbortSignal.timeout(timeoutMs) });
    const own = listed.filter(({ id }) => id === template).map(({ name }) => name);
    return { result: 'found', names: [...names, ...own] };
  } catch (error) {
    return explainServiceFault(error, 'the templates cannot be listed');
  }
}

async function generate(desk: Desk): Promise<SendResult> {
  const { service, order, timeoutMs } = desk;
  const { meetingId, template } = order;
  const signal = AbortSignal.timeout(timeoutMs);
  let before: ReportAnswer;
  try {
    before = await service.reports.get(meetingId, { signal });
  } catch (error) {
    return explainServiceFault(error, 'the report cannot be read');
  }
  if (!before.ready)
    return { result: 'not_sent_retry', cause: 'the report is not ready', contact: 'answered' };
  const { title } = before.report;
  if (desk.has(before)) return await conclude(desk, title, template);
  try {
    const input = { meeting_id: meetingId, template_name: template };
    const { createdTemplateId } = await service.reports.generate(input, { signal });
    return await conclude(desk, title, createdTemplateId ?? template);
  } catch (error) {
    if (isUnderWay(error)) {
      return { result: 'unknown', cause: 'it is not known whether the report is being made' };
    }
    return explainServiceFault(error, 'the report cannot be made');
  }
}

/** An earlier attempt was cut off: the report says what became of it, once it shows the template. */
async function look(desk: Desk): Promise<ProbeResult> {
  const { service, order, timeoutMs } = desk;
  let answer: ReportAnswer;
  try {
    answer = await service.reports.get(order.meetingId, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const fault = explainServiceFault(error, 'the report cannot be read');
    if (fault.result === 'rate_limited') return fault;
    return { ...fault, result: 'not_asked' };
  }
  if (!answer.ready) return { result: 'not_asked', cause: 'the report is being made', contact: 'answered' };
  if (!desk.has(answer)) {
    const cause = 'the report does not show the template, and nobody knows whether the order was taken';
    return { result: 'unsure', cause };
  }
  const concluded = await conclude(desk, answer.report.title, order.template);
  if (concluded.result === 'sent') return { result: 'found', reference: concluded.reference };
  return { result: 'not_asked', cause: concluded.cause, contact: 'none' };
}

/** The report is as it was ordered, or will be: the others go on. */
async function conclude(
  desk: Desk,
  title: string,
  reference: string,
): Promise<Extract<SendResult, { result: 'sent' | 'unknown' }>> {
  try {
    await desk.announce(title);
  } catch {
    // The store of the queue is away; the report is looked at again when it is back.
    return {
      result: 'unknown',
      cause: 'the report is made, and its event cannot be queued',
      contact: 'none',
    };
  }
  return { result: 'sent', reference };
}

function listShown({ templates }: ReadyReport['report']): readonly string[] {
  return templates.flatMap(({ id, name }) => (id === undefined ? [name] : [name, id]));
}

/** An answer that holds nothing came after the order was taken. */
function isUnderWay(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    !error.unsent &&
    /^(?:ambiguous|aborted|unreadable|timeout)$/.test(error.code)
  );
}
