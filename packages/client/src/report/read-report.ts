import { asPresent, asText, spellNames } from '../loose.ts';
import { chooseSummary, readTemplates, writeBlockText } from './blocks.ts';
import { findLayers, holdsReport, readFlag, readLayers, readStatus, readTimes, readTitle } from './layers.ts';
import {
  createDropped,
  createKnownPeople,
  describeSpeakers,
  readLabels,
  readPeople,
  readSpeakers,
} from './people.ts';
import type { Report } from './report.ts';
import { isDecisions, isTasks, mergeTasks, normalizeName, readDecisions, readTasks } from './tasks.ts';
import { createChapterFinder, readTalk } from './transcript.ts';

export { holdsReport };

const participantNames = ['participants', 'attendees', 'members'];
const summaryNames = spellNames('summary', 'short_summary', 'short_content');
const taskNames = spellNames('tasks', 'action_items');

/**
 * Reads the body of `GET /api/video/report` into one shape. The specification leaves its fields open,
 * so nothing here throws: what can't be read is left out and named in `warnings`.
 */
export function readReport(meetingId: string, body: unknown): Report {
  const layers = findLayers(body);
  const find = (...names: readonly string[]): unknown => readLayers(layers, names, asPresent);
  const dropped = createDropped();
  const { times, start, warnings } = readTimes(layers);
  const listed = readSpeakers(find('speakers'), dropped);
  const talk = readTalk(find('chapters'), find('transcript', 'segments', 'utterances'), {
    start,
    listed,
    dropped,
  });
  const templates = readTemplates(find('templates'), dropped);
  const blocks = templates.flatMap((template) => template.blocks);
  const valuesOf = (isKind: (key: string) => boolean): readonly unknown[] =>
    blocks.filter(({ name }) => isKind(normalizeName(name))).map(({ text, value = text }) => value);
  const chapterAt = createChapterFinder(talk.chapters);
  const participants = readPeople(find(...participantNames), dropped);
  const speakers = describeSpeakers(listed, talk.transcript);
  const people = createKnownPeople([
    ...speakers.map(({ name }) => name),
    ...participants.map(({ name = '' }) => name),
  ]);
  const taskFrame = { start, utcOffset: times.utcOffset, listed, people, chapterAt, dropped };
  const tasks = [...valuesOf(isTasks), find(...taskNames)].flatMap((value) => readTasks(value, taskFrame));
  const decisions = [...valuesOf(isDecisions), find('decisions')].flatMap((value) =>
    readDecisions(value, dropped),
  );
  const summary = chooseSummary(blocks, readLayers(layers, summaryNames, readProse));
  const source = readLayers(layers, ['source', 'platform'], asText);
  const status = readStatus(layers);
  const flag = readFlag(layers);
  const keywords = readLabels(find('keywords'), () => dropped.add('keywords'));
  const tags = readLabels(find('tags'), () => dropped.add('tags'));
  return {
    meetingId,
    title: readTitle(layers) ?? 'Untitled meeting',
    ...times,
    ...(source === undefined ? {} : { source }),
    ...(status === undefined ? {} : { status }),
    ...(summary === undefined ? {} : { summary }),
    isTranscriptEmpty: flag ?? talk.isEmpty,
    participants,
    speakers,
    decisions: [...new Set(decisions)],
    tasks: mergeTasks(tasks),
    transcript: talk.transcript,
    chapters: talk.chapters,
    templates,
    keywords,
    tags,
    warnings: [
      ...(holdsReport(body) ? [] : ['the report has none of the known parts']),
      ...warnings,
      ...(flag === true && talk.transcript.length > 0
        ? ['the transcript is said to be empty, but is not']
        : []),
      ...dropped.listWarnings(),
    ],
    raw: body,
  };
}

function readProse(value: unknown): string | undefined {
  return asText(writeBlockText(value));
}

/** The service's word inside a report that is served although it is not finished. */
export function readReportStatus(body: unknown): string | undefined {
  return readStatus(findLayers(body));
}
