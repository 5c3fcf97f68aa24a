import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { findScript } from '../../content/find-script.ts';
import { findPhrases } from '../../content/phrases.ts';
import { formatClock, timeScript } from '../../content/time-script.ts';
import { writeBlockText, writeExport } from '../exports/write-export.ts';
import { nameTool } from '../knobs/mcp-tools.ts';
import { tellStatesIn } from '../knobs/shapes/tell-states.ts';
import type { Meeting } from '../meeting.ts';
import { describeTemplates } from '../report/describe-report.ts';
import { findReport, openReport } from '../report/find-report.ts';
import type { SandboxWorld } from '../sandbox-world.ts';

const inputSchema = z.strictObject({
  meeting_id: z.string().min(1).describe('The meeting, as search_meetings names it'),
});

const transcriptSchema = z.object({
  meeting_id: z.string(),
  segments: z.array(
    z.object({
      speaker: z.string(),
      text: z.string(),
      start_seconds: z.number(),
      end_seconds: z.number(),
    }),
  ),
});

const reportSchema = z.object({
  meeting_id: z.string(),
  title: z.string(),
  date: z.string(),
  source: z.string(),
  is_transcript_empty: z.boolean(),
  templates: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      blocks: z.array(z.object({ name: z.string(), text: z.string().describe('Markdown') })),
    }),
  ),
});

const annotations = { readOnlyHint: true };

/** `get_transcript` and `get_report`; the service's own names for them are not shown. */
export function addReportTools(server: McpServer, world: SandboxWorld): void {
  const { mcpToolNames } = world.knobs.read();
  server.registerTool(
    nameTool('get_transcript', mcpToolNames),
    {
      title: 'Get transcript',
      description: 'The whole transcript of a meeting: who said what, and when.',
      inputSchema,
      outputSchema: transcriptSchema,
      annotations,
    },
    ({ meeting_id: meetingId }) => readReport(world, meetingId, describeTranscript),
  );
  server.registerTool(
    nameTool('get_report', mcpToolNames),
    {
      title: 'Get report',
      description: 'The report of a meeting: summary, decisions, tasks and the transcript.',
      inputSchema,
      outputSchema: reportSchema,
      annotations,
    },
    ({ meeting_id: meetingId }) => readReport(world, meetingId, describeWhole),
  );
}

function readReport(
  world: SandboxWorld,
  meetingId: string,
  describe: (meeting: Meeting) => CallToolResult,
): CallToolResult {
  world.life.poll(meetingId);
  const search = findReport(world, meetingId);
  if (!search.ok) {
    const text = tellStatesIn(search.message, world.knobs.read().stateWords);
    return { content: [{ type: 'text', text }], isError: true };
  }
  return describe(openReport(world, search.meeting));
}

function describeTranscript(meeting: Meeting): CallToolResult {
  const script = findScript(meeting.scriptId);
  const { language } = script;
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
    content: [{ type: 'text', text: text || findPhrases(language).nobodySpoke }],
    structuredContent: { meeting_id: meeting.id, segments },
  };
}

function describeWhole(meeting: Meeting): CallToolResult {
  const { language } = findScript(meeting.scriptId);
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
