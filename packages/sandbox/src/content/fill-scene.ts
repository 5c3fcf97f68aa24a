import { createChooser, shuffle, type Chooser } from './chooser.ts';
import {
  loadLanguage,
  type ContentLanguage,
  type MeetingScript,
  type Participant,
  type Scene,
  type ScriptTask,
  type SlotChoice,
} from './load-content.ts';

export interface SceneSeeds {
  /** Chooses the people. */
  readonly people: string;
  /** Chooses everything else. */
  readonly slots: string;
}

/** Makes a meeting from a scene: the same one for the same seeds, in every release. */
export function fillScene(language: ContentLanguage, scene: Scene, seeds: SceneSeeds): MeetingScript {
  const choose = createChooser(seeds.slots);
  const week = pick(scene.weeks, choose) ?? {};
  const cast = castPeople(language, scene.people, seeds.people);
  const chosen: Record<string, SlotChoice> = { ...cast };
  for (const [day, weekday] of Object.entries(week)) chosen[day] = nameWeekday(language, weekday);
  for (const [slot, choices] of Object.entries(scene.slots)) {
    const choice = pick(choices, choose);
    if (choice !== undefined) chosen[slot] = choice;
  }
  const fill = (text: string): string => fillSlots(text, chosen);
  return {
    name: fill(scene.title),
    language,
    templateName: scene.templateName,
    keywords: scene.keywords.map(fill),
    participants: Object.entries(cast).map(([part, person]) =>
      describeParticipant(language, person, scene.addresses[part]),
    ),
    chapters: scene.chapters.map(({ name, note, lines }) => ({
      name: fill(name),
      note: fill(note),
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
      ...describeDue(due, week),
      chapter,
    })),
    speakerNotes: Object.entries(scene.speakerNotes).map(([part, text]) => ({
      speaker: fill(`{${part}}`),
      text: fill(text),
    })),
    questions: scene.questions.map(({ question, answer }) => ({
      question: fill(question),
      answer: fill(answer),
    })),
  };
}

interface Person {
  /** In full. */
  readonly name: string;
  readonly first: string;
  readonly last: string;
}

/** Gives every part of a scene a person. No two of them share a first or a family name. */
function castPeople(
  language: ContentLanguage,
  people: Scene['people'],
  seed: string,
): Readonly<Record<string, Person & Readonly<Record<string, string>>>> {
  const choose = createChooser(`people of ${seed}`);
  const { women, men, families } = loadLanguage(language);
  const firstNames = { woman: shuffle(women, choose), man: shuffle(men, choose) };
  const familyNames = shuffle(families, choose);
  const cast = { woman: 0, man: 0 };
  return Object.fromEntries(
    Object.entries(people).map(([part, sex]) => {
      const place = cast[sex];
      cast[sex] += 1;
      const first = firstNames[sex][place] ?? '';
      // Women get the even ones, men the odd ones: the n-th of each has the same name in every scene.
      const last = familyNames[2 * place + (sex === 'woman' ? 0 : 1)] ?? '';
      return [part, { name: language === 'ja' ? `${last} ${first}` : `${first} ${last}`, first, last }];
    }),
  );
}

function describeParticipant(
  language: ContentLanguage,
  { name, first, last }: Person,
  domain: string | undefined,
): Participant {
  if (domain === undefined) return { name };
  const { romanized = {} } = loadLanguage(language);
  const words = [first, last].map((word) => (romanized[word] ?? word).toLowerCase());
  return { name, email: `${words.join('.')}@${domain}` };
}

/** The name of a day; 1 is Monday, 8 is Monday of next week. Throws `RangeError` for a Saturday or a Sunday. */
function nameWeekday(language: ContentLanguage, weekday: number): string {
  const name = loadLanguage(language).weekdays[(weekday - 1) % 7];
  if (name === undefined)
    throw new RangeError(`${String(weekday)} is not a weekday from Monday, 1, to Friday.`);
  return name;
}

const slotPattern = /\{(\w+)(?:\.(\w+))?\}/g;

/** Throws `RangeError` for an unknown slot or form: then the scene is wrong. */
function fillSlots(text: string, chosen: Readonly<Record<string, SlotChoice>>): string {
  return text.replaceAll(slotPattern, (slot: string, name: string, form = 'name') => {
    const choice = Object.hasOwn(chosen, name) ? chosen[name] : undefined;
    const value = typeof choice === 'string' && form === 'name' ? choice : findForm(choice, form);
    if (value === undefined) throw new RangeError(`The slot ${slot} has no value in: ${text}`);
    return fillSlots(value, chosen);
  });
}

function findForm(choice: SlotChoice | undefined, form: string): string | undefined {
  return typeof choice === 'object' && Object.hasOwn(choice, form) ? choice[form] : undefined;
}

function pick<T>(choices: readonly T[], choose: Chooser): T | undefined {
  return choices[choose(choices.length)];
}

function describeDue(
  due: number | string | undefined,
  week: Scene['weeks'][number],
): Pick<ScriptTask, 'dueInDays' | 'dueOnWeekday'> {
  if (due === undefined) return {};
  if (typeof due === 'number') return { dueInDays: due };
  const weekday = week[due];
  if (weekday === undefined) throw new RangeError(`The scene has no day ${due} on which a task is due.`);
  return { dueInDays: 1, dueOnWeekday: weekday };
}
