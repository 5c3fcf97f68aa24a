import type { Report } from '@aftermeet/client/pure';

import { writeTranscript } from './write-transcript.ts';

/**
 * A report small enough for an agent: what people ask for, without the transcript and the texts of all templates. Pure. The
 * templates are named with their ids and blocks, which is what an edit needs. A list stays a list where it is empty; what the
 * report does not say is null, so that every item has the same fields.
 */
export function simplifyReport(
  report: Report,
  { includeTranscript = false }: { readonly includeTranscript?: boolean } = {},
): Readonly<Record<string, unknown>> {
  const { title, isTranscriptEmpty, participants, decisions, tasks, keywords, tags, warnings } = report;
  return {
    meeting_id: report.meetingId,
    ready: true,
    title,
    startedAt: report.startedAt ?? null,
    durationSeconds: report.durationSeconds ?? null,
    source: report.source ?? null,
    isTranscriptEmpty,
    participants,
    speakers: report.speakers.map(({ name }) => name),
    summary: report.summary ?? null,
    decisions,
    tasks,
    keywords,
    tags,
    templates: report.templates.map(({ id, name, blocks }) => ({
      id: id ?? null,
      name,
      blocks: blocks.map((block) => block.name),
    })),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(includeTranscript ? { transcript: writeTranscript(report.transcript) } : {}),
  };
}
