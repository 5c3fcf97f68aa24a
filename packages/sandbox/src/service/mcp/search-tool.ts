import { limits } from '@aftermeet/contract';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { findMeetings } from '../find-meetings.ts';
import { nameTool } from '../knobs/mcp-tools.ts';
import { tellState } from '../knobs/shapes/tell-states.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { listMeetingTags } from '../tags/list-meeting-tags.ts';

const day = z.iso.date();

const inputSchema = z.strictObject({
  query: z.string().min(1).optional().describe('Text to find in titles, without case'),
  sources: z.array(z.string()).min(1).optional().describe('Platforms such as gmeet or zoom; any of them'),
  date_from: day.optional().describe('Meetings of this day or later, YYYY-MM-DD in UTC'),
  date_to: day.optional().describe('Meetings of this day or earlier, YYYY-MM-DD in UTC'),
  limit: z.int().min(1).max(limits.searchPageSize).optional().describe('How many at most; default 20'),
});

const outputSchema = z.object({
  total: z.int().describe('How many meetings match, shown or not'),
  meetings: z.array(
    z.object({
      meeting_id: z.string(),
      title: z.string(),
      date: z.string(),
      source: z.string(),
      status: z.string().describe('new: ready, but its report was not opened yet'),
      tags: z.array(z.string()),
    }),
  ),
});

const defaultLimit = 20;

/** `search_meetings`; the service's own name for it is not shown. */
export function addSearchTool(server: McpServer, world: SandboxWorld): void {
  const { mcpToolNames, stateWords } = world.knobs.read();
  const description = 'Finds meetings of the workspace by title, platform and date, newest first.';
  const config = {
    title: 'Search meetings',
    description,
    inputSchema,
    outputSchema,
    annotations: { readOnlyHint: true },
  };
  server.registerTool(nameTool('search_meetings', mcpToolNames), config, (input) => {
    const found = findMeetings(world, {
      q: input.query,
      sources: input.sources,
      dateFrom: input.date_from,
      dateTo: input.date_to,
    });
    const meetings = found.slice(0, input.limit ?? defaultLimit).map((meeting) => ({
      meeting_id: meeting.id,
      title: meeting.title,
      date: meeting.localDateTime,
      source: meeting.source,
      status: tellState(meeting.status, stateWords),
      tags: listMeetingTags(world, meeting).map(({ name }) => name),
    }));
    const lines = meetings.map(
      ({ meeting_id: id, title, date, status }) => `${date} ${title} (${id}, ${status})`,
    );
    const text = [`Meetings found: ${String(found.length)}`, ...lines].join('\n');
    return { content: [{ type: 'text', text }], structuredContent: { total: found.length, meetings } };
  });
}
