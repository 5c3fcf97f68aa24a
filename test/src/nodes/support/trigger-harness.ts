import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { signDelivery } from '@aftermeet/webhooks';

import { AftermeetTrigger } from '../../../../nodes/nodes/AftermeetTrigger/AftermeetTrigger.node.ts';
import { lookUp } from './n8n-context.ts';
import { sendByFetch, type SentRequest } from './send-by-fetch.ts';
import { serve } from './serve.ts';

type WebhookContext = ThisParameterType<AftermeetTrigger['webhook']>;
type Items = NonNullable<Awaited<ReturnType<AftermeetTrigger['webhook']>>['workflowData']>[number];
type ExecuteContext = ThisParameterType<AftermeetTrigger['execute']>;
type HookContext = ThisParameterType<AftermeetTrigger['webhookMethods']['default']['create']>;

export const secret = 'p7wq-Zk42-mD9x-Lr61';
export const olderSecret = 'b3vn-Tq85-cH2s-Yw07';

export interface TriggerHarnessOptions {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly credential?: Readonly<Record<string, unknown>>;
  /** Of the service, for reports. */
  readonly baseUrl?: string;
  readonly mode?: 'webhook' | 'manual';
  /** What n8n cannot do: `store` the execution, or keep what other requests have added to its static data. */
  readonly broken?: 'store' | 'memory';
  /** What n8n kept of it, before it was started again. */
  readonly kept?: unknown;
  /** Of the node, as n8n says it. */
  readonly address?: string;
  /** As for a form of parts: n8n has not read the body. */
  readonly isUnread?: boolean;
}

/**
 * The trigger as n8n's server calls it, over HTTP: each request and each execution with its own copy of the static data. What a request
 * changes there is lost, what an execution changes is saved. Ends with the test.
 */
export async function openTrigger(options: TriggerHarnessOptions = {}) {
  const trigger = new AftermeetTrigger();
  const executions: Record<string, unknown>[] = [];
  const shown: string[] = [];
  const requests: SentRequest[] = [];
  const log: string[] = [];
  let kept = JSON.stringify(options.kept ?? {});
  let { broken } = options;
  const parameters = { events: ['meeting.completed', 'meeting.failed'], ...options.parameters };
  const { mode = 'webhook', isUnread = false, baseUrl = 'http://127.0.0.1:9' } = options;

  const common = {
    getNode: () => ({ id: 'n', name: 'Aftermeet Trigger', type: 'aftermeetTrigger', typeVersion: 1 }),
    getWorkflow: () => ({ id: 'w' }),
    getMode: () => mode,
    getNodeParameter: (name: string, fallback?: unknown) => lookUp(parameters, name) ?? fallback,
    getNodeWebhookUrl: () => options.address ?? 'https://n8n.example.com/webhook/1/webhook',
    getCredentials: async () => ({
      baseUrl,
      apiKey: 'sandbox_key',
      signedBy: 'service',
      webhookSecret: secret,
      previousSecret: olderSecret,
      ...options.credential,
    }),
    logger: {
      warn: (line: string) => log.push(`warn: ${line}`),
      error: (line: string) => log.push(`error: ${line}`),
    },
    helpers: {
      httpRequestWithAuthentication: (_name: string, request: object) =>
        sendByFetch(request, { credential: { baseUrl, apiKey: 'sandbox_key' }, requests }),
    },
  };

  async function runExecution(items: Items): Promise<void> {
    const staticData: Record<string, unknown> = JSON.parse(kept);
    const context = { ...common, getInputData: () => items, getWorkflowStaticData: () => staticData };
    // An execution that fails is stored as well, and the editor shows its error.
    const [returned = []] = await trigger.execute
      .call(context as unknown as ExecuteContext)
      .catch((error: unknown) => {
        if (!(error instanceof Error) || !('description' in error)) throw error;
        shown.push(`${error.message} ${String(error.description)}`);
        return [];
      });
    for (const { json } of returned) executions.push(json);
    if (broken !== 'memory') kept = JSON.stringify(staticData);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const staticData: Record<string, unknown> = JSON.parse(kept);
    const read = async (): Promise<void> => {
      Object.assign(request, { rawBody: await buffer(request) });
    };
    Object.assign(request, { readRawBody: read });
    if (!isUnread) await read();
    const context = {
      ...common,
      getRequestObject: () => request,
      getResponseObject: () => speakLikeExpress(response),
      getWorkflowStaticData: () => staticData,
    };
    // n8n's own interfaces have sixty members; a node that uses one that is missing here fails its test.
    const result = await trigger.webhook.call(context as unknown as WebhookContext);
    if (result.workflowData !== undefined) {
      if (broken === 'store') throw new Error('no place left');
      await runExecution(result.workflowData[0] ?? []);
    }
    if (result.noWebhookResponse !== true)
      speakLikeExpress(response).status(200).json(result.webhookResponse);
  }

  let wentAway = (): void => {};
  const gone = new Promise<void>((resolve) => {
    wentAway = resolve;
  });
  const base = await serve((request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) wentAway();
    });
    handle(request, response).catch(() => {
      speakLikeExpress(response).status(500).json({ message: 'Workflow could not be started' });
    });
  });
  const url = `${base}/webhook/1/webhook`;
  return {
    url,
    executions,
    /** What the editor shows of executions that failed. */
    shown,
    requests,
    log,
    kept: (): unknown => JSON.parse(kept),
    mend: () => {
      broken = undefined;
    },
    /** When a sender has broken off before its answer, and the trigger knows. */
    gone: () => gone,
    activate: () => trigger.webhookMethods.default.create.call(common as unknown as HookContext),
    /** Answers the status and the word of the body. */
    post: async (body: string, headers: Readonly<Record<string, string>> = sign(body)) => {
      const response = await fetch(url, { method: 'POST', headers, body });
      return `${response.status} ${await response.text()}`;
    },
  };
}

export interface SignOptions {
  readonly secret?: string;
  readonly ageSeconds?: number;
  readonly prefix?: string;
}

/** The headers of a delivery of the service. */
export function sign(
  body: string,
  { secret: key = secret, ageSeconds = 0, prefix = 'X-Service' }: SignOptions = {},
): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000) - ageSeconds;
  const signed = signDelivery({ secret: key, timestampSeconds, body: Buffer.from(body) });
  return {
    'content-type': 'application/json',
    [`${prefix}-Signature`]: signed.signature,
    [`${prefix}-Timestamp`]: signed.timestamp,
  };
}

/** The body of an event, as the specification shows it. */
export function writeEvent(fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    event: 'meeting.completed',
    meeting_id: 'm_1',
    timestamp: '2026-07-07T12:00:00Z',
    data: {
      title: 'Weekly sales',
      is_transcript_empty: false,
      report_url: 'https://service.example.com/api/video/report?meeting_id=m_1',
    },
    ...fields,
  });
}

/** The few words of Express that the node uses. */
function speakLikeExpress(response: ServerResponse) {
  return Object.assign(response, {
    status: (code: number) => {
      response.statusCode = code;
      return speakLikeExpress(response);
    },
    json: (value: unknown) => {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.end(JSON.stringify(value));
    },
  });
}
