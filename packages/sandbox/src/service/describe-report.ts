import { formatClock, timeScript, type TimedChapter } from '../content/time-script.ts';
import type { Meeting } from './meeting.ts';

const colors = ['#4f7cff', '#e0704a', '#2f9e6e', '#a45bd6'];
const dayMs = 86_400_000;

/** The body of the report in the observed shape: `{followup_v2, feedback, media_type, tags}`. */
export function describeReport(meeting: Meeting): object {
  const chapters = timeScript(meeting.script);
  return {
    followup_v2: {
      id: meeting.id,
      name: meeting.title,
      date: meeting.localDateTime,
      source: meeting.source,
      status: meeting.status,
      is_transcript_empty: meeting.isTranscriptEmpty,
      ...(meeting.isTranscriptEmpty ? describeSilence() : describeContent(meeting, chapters)),
    },
    feedback: null,
    media_type: 'video',
    tags: [],
  };
}

function describeSilence(): object {
  return { duration: 0, keywords: [], speakers: [], chapters: [], templates: [] };
}

function describeContent(meeting: Meeting, chapters: readonly TimedChapter[]): object {
  return {
    duration: chapters.at(-1)?.endSeconds ?? 0,
    keywords: meeting.script.keywords,
    speakers: listSpeakers(chapters).map((speaker, index) => ({
      id: `speaker_${String(index + 1)}`,
      speaker,
      color: colors[index % colors.length],
    })),
    chapters: chapters.map(({ name, startSeconds, endSeconds, lines }) => ({
      name,
      startSeconds,
      endSeconds,
      transcript: lines.map((line) => ({
        speaker: { speaker: line.speaker },
        text: line.text,
        timestamp: formatClock(line.startSeconds),
        startSeconds: line.startSeconds,
        endSeconds: line.endSeconds,
      })),
    })),
    templates: [
      { id: meeting.templateId, name: meeting.templateName, entities: describeEntities(meeting, chapters) },
    ],
  };
}

function describeEntities(
  { script, localDateTime }: Meeting,
  chapters: readonly TimedChapter[],
): readonly object[] {
  const actions = script.tasks.map(({ text, assignee, dueInDays, chapter }) => ({
    text,
    assignee,
    deadline: dueInDays === undefined ? null : formatDay(Date.parse(localDateTime) + dueInDays * dayMs),
    timestamp: formatClock(chapters[chapter]?.startSeconds ?? 0),
  }));
  return [
    { name: 'summary', text: script.summary },
    { name: 'decisions', text: script.decisions.map((decision) => `- ${decision}`).join('\n') },
    { name: 'tasks', text: { actions } },
  ];
}

function listSpeakers(chapters: readonly TimedChapter[]): readonly string[] {
  return [...new Set(chapters.flatMap(({ lines }) => lines.map(({ speaker }) => speaker)))];
}

function formatDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
