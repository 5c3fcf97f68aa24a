import { z } from 'zod';

import type { Knobs } from '../knobs.ts';
import { isObject, mapObjects, type JsonObject } from './json-value.ts';

export type ReportPartKnobs = Pick<Knobs, 'reportTimes' | 'reportSpeakers' | 'reportTasks' | 'blockNames'>;

/** The report itself, with its times, speakers, tasks and blocks as the knobs say. */
export function shapeReportParts(report: JsonObject, knobs: ReportPartKnobs): JsonObject {
  if (areReportPartsAsObserved(knobs)) return report;
  const shaped = mapObjects(report, (object) => shapePart(object, knobs));
  if (!isObject(shaped)) return report;
  const { duration } = shaped;
  return knobs.reportTimes === 'clock' ? { ...shaped, duration: writeClock(duration) } : shaped;
}

export function areReportPartsAsObserved(knobs: ReportPartKnobs): boolean {
  const { reportTimes, reportSpeakers, reportTasks, blockNames } = knobs;
  const isObserved = reportTimes === 'both' && reportSpeakers === 'object' && reportTasks === 'actions';
  return isObserved && Object.keys(blockNames).length === 0;
}

function shapePart(part: JsonObject, knobs: ReportPartKnobs): JsonObject {
  if ('transcript' in part) return shapeChapter(part, knobs);
  if ('timestamp' in part && 'startSeconds' in part) return shapeLine(part, knobs);
  return 'name' in part && 'text' in part ? shapeBlock(part, knobs) : part;
}

function shapeChapter(chapter: JsonObject, { reportTimes }: ReportPartKnobs): JsonObject {
  if (reportTimes !== 'clock') return chapter;
  const { startSeconds, endSeconds, ...rest } = chapter;
  return { ...rest, start: writeClock(startSeconds), end: writeClock(endSeconds) };
}

function shapeLine(line: JsonObject, { reportTimes, reportSpeakers }: ReportPartKnobs): JsonObject {
  const { timestamp, startSeconds, endSeconds, speaker, ...rest } = line;
  const name = isObject(speaker) && reportSpeakers === 'text' ? speaker['speaker'] : speaker;
  return {
    ...(name !== undefined && { speaker: name }),
    ...rest,
    ...(reportTimes !== 'seconds' && { timestamp }),
    ...(reportTimes !== 'clock' && { startSeconds, endSeconds }),
  };
}

const tasksSchema = z.object({
  actions: z.array(z.object({ text: z.string(), assignee: z.string(), deadline: z.string().nullable() })),
});

function shapeBlock(block: JsonObject, { reportTasks, blockNames }: ReportPartKnobs): JsonObject {
  const { name, text } = block;
  const tasks = tasksSchema.safeParse(text);
  return {
    ...block,
    name: typeof name === 'string' && Object.hasOwn(blockNames, name) ? blockNames[name] : name,
    text: reportTasks === 'text' && tasks.success ? tasks.data.actions.map(writeTask).join('\n') : text,
  };
}

function writeTask({ text, assignee, deadline }: z.infer<typeof tasksSchema>['actions'][number]): string {
  return `- ${text} (${assignee}${deadline === null ? '' : `, ${deadline}`})`;
}

/** `HH:MM:SS`; what is no number stays as it is. */
function writeClock(seconds: unknown): unknown {
  if (typeof seconds !== 'number') return seconds;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
