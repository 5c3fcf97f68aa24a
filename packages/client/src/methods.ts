import { checkStart, limits, operations } from '@aftermeet/contract';

import { findVerifyCall } from './ambiguous-write.ts';
import { readCreatedId, readCreatedTag, readSearchPage, readStartedId, readTemplateList } from './answers.ts';
import type { Acknowledgement, CallOptions, Client, FindWebhookTarget, List, Tag } from './client.ts';
import { AmbiguousWriteError } from './errors.ts';
import { type Answer, type Connection, sendRequest } from './http.ts';
import { asFields, firstText } from './loose.ts';
import { refuseInput, unreadable } from './service-fault.ts';

/**
 * The methods that ask with JSON. They need nothing of the platform but what the connection holds, so they run wherever
 * JavaScript does.
 */
export function createMethods(
  connection: Connection,
  webhookTargets?: FindWebhookTarget,
): Pick<Client, 'recordings' | 'reports' | 'templates' | 'meetings' | 'tags'> {
  return {
    recordings: recordingMethods(connection, webhookTargets),
    reports: reportMethods(connection),
    templates: templateMethods(connection),
    meetings: meetingMethods(connection),
    tags: tagMethods(connection),
  };
}

function recordingMethods(connection: Connection, webhookTargets?: FindWebhookTarget): Client['recordings'] {
  return {
    async start(given, options) {
      const operation = operations.recordings.start;
      const nowMs = connection.clock();
      const fields = asFields(given) ?? {};
      // Of a series the first start may be over.
      const allowPast = options?.allowPast === true || fields['cron'] !== undefined;
      const problem = checkStart(firstText(fields, 'localDateTime'), nowMs, { allowPast });
      if (problem !== undefined) throw refuseInput(operation, [problem]);
      const { fillWebhook } = await import('./webhook-target.ts');
      const filled = fillWebhook(given, { kind: 'recording' }, webhookTargets);
      if (!filled.ok) throw refuseInput(operation, [filled.problem]);
      const input = filled.fields;
      const { status, body } = await sendRequest(connection, operation, input, options);
      const meetingId = readStartedId(body);
      if (meetingId === undefined) {
        const verifyWith = findVerifyCall(operation.id, input, connection.clock());
        throw new AmbiguousWriteError({
          operation,
          reason: 'the answer names no meeting',
          verifyWith,
          status,
        });
      }
      return { meetingId, raw: body };
    },
    async status(meetingId, options) {
      const { askStatus } = await import('./wait.ts');
      return (await askStatus(connection, meetingId, options)).state;
    },
    stop: async (meetingId, options) =>
      acknowledge(await sendRequest(connection, operations.recordings.stop, { meetingId }, options)),
    cancel: async (meetingId, options) =>
      acknowledge(await sendRequest(connection, operations.recordings.cancel, { meetingId }, options)),
    async waitUntilReady(meetingId, options) {
      const { waitUntilReady } = await import('./wait.ts');
      return waitUntilReady(connection, meetingId, options);
    },
  };
}

function acknowledge({ body }: Answer): Acknowledgement {
  return { raw: body };
}

function reportMethods(connection: Connection): Client['reports'] {
  return {
    async get(meetingId, options) {
      const input = { meetingId };
      const answer = await sendRequest(connection, operations.reports.get, input, options);
      // The reader of reports is larger than the rest of the client.
      const { readReportAnswer } = await import('./report/report-answer.ts');
      return readReportAnswer(meetingId, answer, connection.apiKey);
    },
    async generate(input, options) {
      const { body } = await sendRequest(connection, operations.reports.generate, input, options);
      const createdTemplateId = readCreatedId(body);
      return { ...(createdTemplateId === undefined ? {} : { createdTemplateId }), raw: body };
    },
    editBlock: async (input, options) =>
      acknowledge(await sendRequest(connection, operations.reports.editBlock, input, options)),
  };
}

function templateMethods(connection: Connection): Client['templates'] {
  return {
    async list(options) {
      const operation = operations.templates.list;
      const { status, body } = await sendRequest(connection, operation, {}, options);
      const templates = readTemplateList(body);
      if (templates === undefined) {
        throw unreadable(operation, 'the answer holds no list of templates', status);
      }
      return templates;
    },
  };
}

function meetingMethods(connection: Connection): Client['meetings'] {
  const operation = operations.meetings.search;
  return {
    async *search(input = {}, options = {}) {
      const { walkSearch } = await import('./pages.ts');
      const { page: first = 0 } = input;
      yield* walkSearch(async (page) => {
        // The specification does not show `page`: a service that knows none must still answer the first one.
        const asked = page === first ? input : { ...input, page };
        const { status, body } = await sendRequest(connection, operation, asked, options);
        const found = readSearchPage(body, page);
        if (found === undefined) throw unreadable(operation, 'the answer holds no list of meetings', status);
        return found;
      }, first);
    },
  };
}

function tagMethods(connection: Connection): Client['tags'] {
  return {
    list: (options) => listTags(connection, options),
    async create(input, options) {
      const operation = operations.tags.create;
      const { status, body } = await sendRequest(connection, operation, input, options);
      const tag = readCreatedTag(body);
      if (tag === undefined) {
        const verifyWith = findVerifyCall(operation.id, input, connection.clock());
        throw new AmbiguousWriteError({ operation, reason: 'the answer names no tag', verifyWith, status });
      }
      return tag;
    },
    attach: async (input, options) =>
      acknowledge(await sendRequest(connection, operations.tags.attach, input, options)),
    detach: async (input, options) =>
      acknowledge(await sendRequest(connection, operations.tags.detach, input, options)),
  };
}

async function listTags(connection: Connection, options?: CallOptions): Promise<List<Tag>> {
  const operation = operations.tags.list;
  const askPage = (cursor: string | undefined): Promise<Answer> => {
    const input = { perPage: limits.tagPageSize, ...(cursor === undefined ? {} : { cursor }) };
    return sendRequest(connection, operation, input, options);
  };
  const { walkTags } = await import('./pages.ts');
  const pages: List<Tag>[] = [];
  for await (const page of walkTags(askPage, operation)) pages.push(page);
  return {
    items: pages.flatMap(({ items }) => items),
    total: pages.findLast(({ total }) => total !== undefined)?.total,
    warnings: pages.flatMap(({ warnings }) => warnings),
    raw: pages.map(({ raw }) => raw),
  };
}
