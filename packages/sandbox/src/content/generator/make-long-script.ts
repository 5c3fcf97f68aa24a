import type { MeetingScript } from '../meeting-script.ts';
import { findScene } from '../scenes/scene-table.ts';
import { fillScene } from './fill-scene.ts';
import type { Scene } from './scene.ts';

export const longestSegments = 10_000;

/** What a day of planning goes through, again and again. */
const sceneNames = ['quarterly-planning', 'retrospective'];

/**
 * A meeting of exactly so many segments: English scenes in turn, with the same people, other numbers in every round.
 * 430 segments last about an hour. The summary, the decisions and the tasks are those of the first rounds.
 */
export function makeLongScript(segments: number, variant: number): MeetingScript {
  const seed = `long/${String(variant)}`;
  const scenes = sceneNames.flatMap((name) => findScene('en', name) ?? []);
  const rounds: MeetingScript[] = [];
  for (let left = segments; left > 0;) {
    const round = takeSegments(fillRound(scenes, seed, rounds.length), left);
    rounds.push(round);
    left -= countSegments(round);
  }
  const shown = rounds.slice(0, scenes.length);
  return {
    name: 'Planning day',
    language: 'en',
    templateName: 'team-sync',
    keywords: [...new Set(shown.flatMap(({ keywords }) => keywords))],
    chapters: rounds.flatMap(({ chapters }) => chapters),
    summary: shown.map(({ summary }) => summary).join('\n\n'),
    decisions: shown.flatMap(({ decisions }) => decisions),
    tasks: listTasks(shown),
  };
}

function fillRound(scenes: readonly Scene[], seed: string, round: number): MeetingScript {
  const scene = scenes[round % scenes.length];
  if (scene === undefined) throw new RangeError('A long meeting is made of scenes, and there is none.');
  return fillScene('en', scene, { people: seed, slots: `${seed}/${String(round)}` });
}

function countSegments({ chapters }: MeetingScript): number {
  return chapters.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** The beginning of a meeting, as many segments as are left. */
function takeSegments(script: MeetingScript, segments: number): MeetingScript {
  let left = segments;
  const chapters = script.chapters.flatMap(({ name, lines }) => {
    const taken = lines.slice(0, left);
    left -= taken.length;
    return taken.length === 0 ? [] : [{ name, lines: taken }];
  });
  return { ...script, chapters };
}

/** A round's tasks name the chapters of that round. */
function listTasks(rounds: readonly MeetingScript[]): MeetingScript['tasks'] {
  return rounds.flatMap(({ tasks }, index) => {
    const before = rounds.slice(0, index).reduce((sum, { chapters }) => sum + chapters.length, 0);
    const last = (rounds[index]?.chapters.length ?? 1) - 1;
    return tasks.map((task) => ({ ...task, chapter: before + Math.min(task.chapter, last) }));
  });
}
