import { asFields, asList, asText, type Fields, firstText } from './loose.ts';
import { readTemplates } from './read-templates.ts';
import { readMoment, readSeconds } from './read-time.ts';
import { readSpeaker, readTalk } from './read-transcript.ts';
import type { Person, Report } from './report.ts';

const wrappers = ['followup_v2', 'followup', 'report', 'data'] as const;

/**
 * Reads the body of `GET /api/video/report` into one shape. The specification leaves its fields open,
 * so nothing here throws: what can't be read is left out and named in `warnings`.
 */
export function readReport(meetingId: string, body: unknown): Report {
  const outer = asFields(body) ?? {};
  const inner = unwrap(outer);
  const written = readTemplates(inner['templates']);
  const talk = readTalk(inner['chapters'], inner['transcript']);
  const startedAt = readMoment(inner['date'] ?? inner['local_date_time'] ?? inner['started_at']);
  const durationSeconds = readSeconds(inner['duration']);
  const source = firstText(inner, 'source');
  const summary = written.summary ?? firstText(inner, 'summary');
  return {
    meetingId,
    title: firstText(inner, 'name', 'title') ?? 'Untitled meeting',
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(source === undefined ? {} : { source }),
    ...(summary === undefined ? {} : { summary }),
    isTranscriptEmpty: inner['is_transcript_empty'] === true || inner['is_transcript_empty'] === 'true',
    participants: readPeople(inner['participants']),
    speakers: unique(asList(inner['speakers']).map(readSpeaker)),
    decisions: written.decisions,
    tasks: written.tasks,
    transcript: talk.transcript,
    chapters: talk.chapters,
    templates: written.templates,
    keywords: unique(asList(inner['keywords']).map(asText)),
    warnings: [
      ...(inner === outer && written.templates.length === 0 && talk.chapters.length === 0
        ? ['the report has none of the known parts']
        : []),
      ...(written.dropped > 0 ? [`${written.dropped} template entries could not be read`] : []),
      ...(talk.dropped > 0 ? [`${talk.dropped} transcript entries could not be read`] : []),
    ],
    raw: body,
  };
}

/** Two wrappers at most have been seen around a report; more would be somebody's attack on the stack. */
function unwrap(outer: Fields, depth = 0): Fields {
  const inner = wrappers.map((name) => asFields(outer[name])).find((fields) => fields !== undefined);
  return inner === undefined || depth === 2 ? outer : unwrap(inner, depth + 1);
}

/**
 * Whether an answer is a report at all. A maintenance page in JSON is not, and a recap made of it would be the
 * only one ever sent for its meeting.
 */
export function holdsReport(body: unknown): boolean {
  const inner = unwrap(asFields(body) ?? {});
  return (
    ['templates', 'chapters', 'transcript', 'speakers'].some((name) => Array.isArray(inner[name])) ||
    firstText(inner, 'name', 'title', 'summary') !== undefined
  );
}

/** The service's word inside a report that is served although it is not finished. */
export function readReportStatus(body: unknown): string | undefined {
  return firstText(unwrap(asFields(body) ?? {}), 'status');
}

function readPeople(value: unknown): readonly Person[] {
  const items = typeof value === 'string' ? value.split(',') : asList(value);
  return items.flatMap((item) => {
    const fields = asFields(item);
    if (fields === undefined) {
      const text = asText(item)?.trim();
      if (text === undefined) return [];
      return [text.includes('@') ? { email: text } : { name: text }];
    }
    const name = firstText(fields, 'name', 'display_name', 'speaker');
    const email = firstText(fields, 'email');
    if (name === undefined && email === undefined) return [];
    return [{ ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) }];
  });
}

function unique(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}
