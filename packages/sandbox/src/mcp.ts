import { limits } from '@aftermeet/contract';
import { requireBearerAuth } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import express, { type Router } from 'express';
import { z } from 'zod';

import { planRequiredMessage, wrongKeyMessage, type Account } from './account.ts';
import type { AppState } from './app-state.ts';
import { loadLanguage } from './content/load-content.ts';
import { formatClock, timeScript } from './content/time-script.ts';
import { describeTemplates } from './describe-report.ts';
import { writeBlockText, writeExport } from './exports/markdown.ts';
import { findReport, openReport } from './handlers/reports.ts';
import { findContent, findMeetings, type Meeting } from './meetings.ts';
import { nameState } from './service-answer.ts';

export interface McpRouter {
  readonly router: Router;
  /** Ends what is under way. */
  readonly close: () => Promise<void>;
}

const serverInfo = { name: 'aftermeet-sandbox', title: 'Sandbox of the meeting service', version: '0.1.0' };
const annotations = { readOnlyHint: true };

/**
 * The MCP endpoint (Streamable HTTP, stateless), in old and new revisions of the protocol. The API key is the bearer
 * token. The names of the tools are assumed.
 */
export function createMcpRouter(app: AppState): McpRouter {
  const handler = createMcpHandler(() => {
    const server = new McpServer(serverInfo);
    addSearchTool(server, app);
    addReportTools(server, app);
    return server;
  });
  const answer = toNodeHandler(handler);
  const router = express.Router();
  router.use(
    requireBearerAuth({ verifier: { verifyAccessToken: (token) => verifyToken(token, app.account) } }),
  );
  router.all('/', async (request, response) => {
    await answer(request, response);
  });
  return { router, close: handler.close };
}

async function verifyToken(token: string, account: Account) {
  if (!account.isRightKey(token)) throw new OAuthError(OAuthErrorCode.InvalidToken, wrongKeyMessage);
  if (account.plan().name === 'none') {
    throw new OAuthError(OAuthErrorCode.InsufficientScope, planRequiredMessage);
  }
  // The SDK refuses a token without an end.
  return { token, clientId: 'api-key', scopes: [], expiresAt: Number.MAX_SAFE_INTEGER };
}

const day = z.iso.date();

const searchInputSchema = z.strictObject({
  query: z.string().min(1).optional().describe('Text to find in titles, without case'),
  sources: z.array(z.string()).min(1).optional().describe('Platforms such as gmeet or zoom; any of them'),
  date_from: day.optional().describe('Meetings of this day or later, YYYY-MM-DD in UTC'),
  date_to: day.optional().describe('Meetings of this day or earlier, YYYY-MM-DD in UTC'),
  limit: z.int().min(1).max(limits.searchPageSize).optional().describe('Maximum number; default 20'),
});

const DEFAULT_LIMIT = 20;

function addSearchTool(server: McpServer, app: AppState): void {
  const config = {
    title: 'Search meetings',
    description: 'Finds meetings of the workspace by title, platform and date, newest first.',
    inputSchema: searchInputSchema,
    annotations,
  };
  server.registerTool('search_meetings', config, (input) => {
    const found = findMeetings(app.meetings, {
      q: input.query,
      sources: input.sources,
      dateFrom: input.date_from,
      dateTo: input.date_to,
    });
    const meetings = found.slice(0, input.limit ?? DEFAULT_LIMIT).map((meeting) => ({
      meeting_id: meeting.id,
      title: meeting.title,
      date: meeting.localDateTime,
      source: meeting.source,
      status: nameState(meeting.status, app.options.get()),
      tags: app.tags.listOf(meeting).map(({ name }) => name),
    }));
    const lines = meetings.map(
      ({ meeting_id: id, title, date, status }) => `${date} ${title} (${id}, ${status})`,
    );
    const text = [`Meetings found: ${String(found.length)}`, ...lines].join('\n');
    return { content: [{ type: 'text', text }], structuredContent: { total: found.length, meetings } };
  });
}

const reportInputSchema = z.strictObject({
  meeting_id: z.string().min(1).describe('The meeting, as search_meetings names it'),
});

function addReportTools(server: McpServer, app: AppState): void {
  server.registerTool(
    'get_transcript',
    {
      title: 'Get transcript',
      description: 'The whole transcript of a meeting: who said what, and when.',
      inputSchema: reportInputSchema,
      annotations,
    },
    ({ meeting_id: meetingId }) => readReport(app, meetingId, describeTranscript),
  );
  server.registerTool(
    'get_report',
    {
      title: 'Get report',
      description: 'The report of a meeting: summary, decisions, tasks and the transcript.',
      inputSchema: reportInputSchema,
      annotations,
    },
    ({ meeting_id: meetingId }) => readReport(app, meetingId, describeReport),
  );
}

function readReport(
  app: AppState,
  meetingId: string,
  describe: (meeting: Meeting) => CallToolResult,
): CallToolResult {
  app.lifecycle.poll(meetingId);
  const found = findReport(app, meetingId);
  if (!found.ok) return { content: [{ type: 'text', text: found.message }], isError: true };
  return describe(openReport(app, found.meeting));
}

function describeTranscript(meeting: Meeting): CallToolResult {
  const script = findContent(meeting);
  const lines = meeting.isTranscriptEmpty ? [] : timeScript(script).flatMap((chapter) => chapter.lines);
  const text = lines
    .map((line) => `${formatClock(line.startSeconds)} ${line.speaker}: ${line.text}`)
    .join('\n');
  const segments = lines.map((line) => ({
    speaker: line.speaker,
    text: line.text,
    start_seconds: line.startSeconds,
    end_seconds: line.endSeconds,
  }));
  return {
    content: [{ type: 'text', text: text || loadLanguage(script.language).phrases.emptyTranscript }],
    structuredContent: { meeting_id: meeting.id, segments },
  };
}

function describeReport(meeting: Meeting): CallToolResult {
  const { language } = findContent(meeting);
  const [template] = meeting.templates;
  const text = writeExport(meeting, { includeReport: true, includeTasks: true, template, timeZone: 'UTC' });
  return {
    content: [{ type: 'text', text }],
    structuredContent: {
      meeting_id: meeting.id,
      title: meeting.title,
      date: meeting.localDateTime,
      source: meeting.source,
      is_transcript_empty: meeting.isTranscriptEmpty,
      templates: describeTemplates(meeting).map(({ id, name, entities }) => ({
        id,
        name,
        blocks: entities.map((block) => ({ name: block.name, text: writeBlockText(block.text, language) })),
      })),
    },
  };
}
