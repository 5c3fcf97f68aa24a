import { fillScene } from './fill-scene.ts';
import {
  findContentLanguage,
  loadLanguage,
  loadSamples,
  type ContentLanguage,
  type MeetingScript,
  type Participant,
} from './load-content.ts';

/** The ids of the hand-written meetings, which recordings use in turn. */
const sampleScriptIds = ['launch-review', 'warehouse-sync'] as const;

const scenePattern = /^(?<code>[a-z]{2})\/(?<scene>[a-z-]+)\/(?:0|[1-9]\d{0,8})$/;
const longPattern = /^long\/(?<segments>[1-9]\d{0,4})\/(?<variant>0|[1-9]\d{0,8})$/;
const variantPattern = /^(?<kind>.+\/)(?<variant>\d+)$/;

const MAX_SEGMENTS = 10_000;
const MAX_CACHED_SCRIPTS = 64;
const cache = new Map<string, MeetingScript>();

/**
 * The content of a sample meeting. The id is the name of a hand-written one (`launch-review`), a variant of a scene
 * (`de/retrospective/17`: language, scene, a number from 0) or a long meeting (`long/6000/1`: segments, up to 10,000,
 * and a variant). The same id means the same meeting in every release; an unknown id means `launch-review`.
 */
export function findScript(scriptId: string): MeetingScript {
  const script = getScript(scriptId) ?? getScript('launch-review');
  if (script === undefined) throw new Error('The package lacks its sample meetings.');
  return script;
}

/** Whether there is a meeting of this id. */
export function isScript(scriptId: string): boolean {
  return getScript(scriptId) !== undefined;
}

/**
 * The id of a meeting by number, from 0. Without a language it is one of the hand-written meetings; with one, numbers
 * that follow each other go through the scenes of the language, then through other variants of them.
 */
export function chooseScript(number: number, language?: ContentLanguage): string {
  if (language === undefined) return sampleScriptIds[number % sampleScriptIds.length] ?? sampleScriptIds[0];
  const names = Object.keys(loadLanguage(language).scenes);
  const name = names[number % names.length] ?? '';
  return `${language}/${name}/${String(Math.floor(number / names.length))}`;
}

/** The meeting that a series holds after this one: the next hand-written one, or the next variant of the same kind. */
export function findNextScript(scriptId: string): string {
  const { kind, variant } = variantPattern.exec(scriptId)?.groups ?? {};
  if (kind !== undefined && variant !== undefined) return `${kind}${String(Number(variant) + 1)}`;
  const index = sampleScriptIds.findIndex((id) => id === scriptId);
  return sampleScriptIds[(index + 1) % sampleScriptIds.length] ?? sampleScriptIds[0];
}

function getScript(scriptId: string): MeetingScript | undefined {
  const cached = cache.get(scriptId);
  if (cached !== undefined) return cached;
  const samples = loadSamples();
  const script = Object.hasOwn(samples, scriptId) ? samples[scriptId] : makeScript(scriptId);
  if (script === undefined) return undefined;
  cache.set(scriptId, script);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_SCRIPTS && oldest !== undefined) cache.delete(oldest);
  return script;
}

function makeScript(scriptId: string): MeetingScript | undefined {
  const long = longPattern.exec(scriptId)?.groups;
  if (long !== undefined) {
    const segments = Number(long['segments']);
    return segments > MAX_SEGMENTS ? undefined : makeLongScript(segments, Number(long['variant']));
  }
  const { code = '', scene: name = '' } = scenePattern.exec(scriptId)?.groups ?? {};
  const language = findContentLanguage(code);
  if (language === undefined) return undefined;
  const { scenes } = loadLanguage(language);
  const scene = Object.hasOwn(scenes, name) ? scenes[name] : undefined;
  return scene && fillScene(language, scene, { people: scriptId, slots: scriptId });
}

/**
 * A meeting of exactly so many segments: English scenes in turn, with the same people and other numbers in every round.
 * 430 segments last about an hour. The summary, the decisions and the tasks are those of the first rounds.
 */
function makeLongScript(segments: number, variant: number): MeetingScript {
  const seed = `long/${String(variant)}`;
  const { scenes } = loadLanguage('en');
  const used = [scenes['quarterly-planning'], scenes['retrospective']].filter((scene) => scene !== undefined);
  const rounds: MeetingScript[] = [];
  for (let left = segments; left > 0;) {
    const scene = used[rounds.length % used.length];
    if (scene === undefined) throw new Error('The package lacks the scenes of a long meeting.');
    const slots = `${seed}/${String(rounds.length)}`;
    const round = takeSegments(fillScene('en', scene, { people: seed, slots }), left);
    rounds.push(round);
    left -= round.chapters.reduce((sum, { lines }) => sum + lines.length, 0);
  }
  const shown = rounds.slice(0, used.length);
  return {
    name: 'Planning day',
    language: 'en',
    templateName: 'team-sync',
    keywords: [...new Set(shown.flatMap(({ keywords }) => keywords))],
    participants: listParticipants(shown),
    chapters: rounds.flatMap(({ chapters }) => chapters),
    summary: shown.map(({ summary }) => summary).join('\n\n'),
    decisions: shown.flatMap(({ decisions }) => decisions),
    tasks: listTasks(shown),
    speakerNotes: shown.flatMap(({ speakerNotes }) => speakerNotes),
    questions: shown.flatMap(({ questions }) => questions),
  };
}

/** Each participant once, with the address that they have in one of the rounds. */
function listParticipants(rounds: readonly MeetingScript[]): MeetingScript['participants'] {
  const byName = new Map<string, Participant>();
  for (const participant of rounds.flatMap(({ participants }) => participants)) {
    const { name = '' } = participant;
    byName.set(name, { ...participant, email: byName.get(name)?.email ?? participant.email });
  }
  return [...byName.values()];
}

/** The beginning of a meeting, with at most so many segments. */
function takeSegments(script: MeetingScript, segments: number): MeetingScript {
  let left = segments;
  const chapters = script.chapters.flatMap((chapter) => {
    const lines = chapter.lines.slice(0, left);
    left -= lines.length;
    return lines.length === 0 ? [] : [{ ...chapter, lines }];
  });
  return { ...script, chapters };
}

/** The tasks of a round name the chapters of that round; here they get the numbers of the whole meeting. */
function listTasks(rounds: readonly MeetingScript[]): MeetingScript['tasks'] {
  return rounds.flatMap(({ tasks }, index) => {
    const before = rounds.slice(0, index).reduce((sum, { chapters }) => sum + chapters.length, 0);
    const last = (rounds[index]?.chapters.length ?? 1) - 1;
    return tasks.map((task) => ({ ...task, chapter: before + Math.min(task.chapter, last) }));
  });
}
