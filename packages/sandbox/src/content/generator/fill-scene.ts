import type { ContentLanguage } from '../languages.ts';
import type { MeetingScript, ScriptTask } from '../meeting-script.ts';
import { castPeople } from './cast-people.ts';
import { createChooser, type Chooser } from './create-chooser.ts';
import { fillSlots } from './fill-slots.ts';
import type { Scene, SlotChoice } from './scene.ts';
import { nameWeekday } from './weekdays.ts';

export interface SceneSeeds {
  /** Chooses the people. */
  readonly people: string;
  /** Chooses everything else. */
  readonly slots: string;
}

/** Makes a meeting of a scene: the same one for the same seeds, in every release. */
export function fillScene(language: ContentLanguage, scene: Scene, seeds: SceneSeeds): MeetingScript {
  const choose = createChooser(seeds.slots);
  const week = pick(scene.weeks, choose) ?? {};
  const chosen: Record<string, SlotChoice> = { ...castPeople(language, scene.people, seeds.people) };
  for (const [day, weekday] of Object.entries(week)) chosen[day] = nameWeekday(language, weekday);
  for (const [slot, choices] of Object.entries(scene.slots)) {
    const choice = pick(choices, choose);
    if (choice !== undefined) chosen[slot] = choice;
  }
  const fill = (text: string): string => spaceMarks(language, fillSlots(text, chosen));
  return {
    name: fill(scene.title),
    language,
    templateName: scene.templateName,
    keywords: scene.keywords.map(fill),
    chapters: scene.chapters.map(({ name, lines }) => ({
      name: fill(name),
      lines: lines.map((line) => {
        const [part = '', ...words] = line.split(': ');
        return { speaker: fill(`{${part}}`), text: fill(words.join(': ')) };
      }),
    })),
    summary: scene.summary.map(fill).join('\n\n'),
    decisions: scene.decisions.map(fill),
    tasks: scene.tasks.map(({ text, owner, due, chapter }) => ({
      text: fill(text),
      assignee: fill(`{${owner}}`),
      ...readDue(due, week),
      chapter,
    })),
  };
}

function pick<T>(choices: readonly T[], choose: Chooser): T | undefined {
  return choices[choose(choices.length)];
}

function readDue(
  due: number | string | undefined,
  week: Scene['weeks'][number],
): Pick<ScriptTask, 'dueInDays' | 'dueOnWeekday'> {
  if (due === undefined) return {};
  if (typeof due === 'number') return { dueInDays: due };
  const weekday = week[due];
  if (weekday === undefined) throw new RangeError(`The scene has no day ${due} on which a task is due.`);
  return { dueInDays: 1, dueOnWeekday: weekday };
}

/** French has a space before some marks and within numbers, at which a line must not end. */
function spaceMarks(language: ContentLanguage, text: string): string {
  if (language !== 'fr') return text;
  return text.replaceAll(/ (?=[?!:;»%€])|(?<=\d) (?=\d{3})|(?<=«) /g, '\u00a0');
}
