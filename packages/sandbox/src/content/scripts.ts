import {
  loadLanguage,
  loadSamples,
  contentLanguages,
  type ContentLanguage,
  type MeetingScript,
} from './load-content.ts';

/** The meetings that recordings use in turn. */
const sampleScriptIds = ['launch-review', 'warehouse-sync'];
const longPattern = /^long\/([1-9]\d{0,3}|10000)$/;
const longScripts = new Map<number, MeetingScript>();

/**
 * The content of a sample meeting: `launch-review`, `warehouse-sync`, one of a language (`de/retrospective`), or a long
 * one (`long/6000`: that many segments, up to 10,000). An unknown id means `launch-review`.
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

/** The id of a meeting by number, from 0: those of a language in turn, or without one those that recordings use. */
export function chooseScript(number: number, language?: ContentLanguage): string {
  const ids = listScriptIds(language);
  return ids[number % ids.length] ?? 'launch-review';
}

/** The meeting that a series holds after this one. */
export function findNextScript(scriptId: string): string {
  const ids = listScriptIds(contentLanguages.find((language) => scriptId.startsWith(`${language}/`)));
  return ids[(ids.indexOf(scriptId) + 1) % ids.length] ?? scriptId;
}

function listScriptIds(language: ContentLanguage | undefined): readonly string[] {
  if (language === undefined) return sampleScriptIds;
  return Object.keys(loadLanguage(language).meetings).map((name) => `${language}/${name}`);
}

function getScript(scriptId: string): MeetingScript | undefined {
  if (sampleScriptIds.includes(scriptId)) return loadSamples()[scriptId];
  const segments = longPattern.exec(scriptId)?.[1];
  if (segments !== undefined) return makeLongScript(Number(segments));
  const language = contentLanguages.find((known) => scriptId.startsWith(`${known}/`));
  const meetings = language === undefined ? {} : loadLanguage(language).meetings;
  const name = scriptId.slice(3);
  return Object.hasOwn(meetings, name) ? meetings[name] : undefined;
}

/** What is said in a planning, again and again, until there are so many segments: 430 last about an hour. */
function makeLongScript(segments: number): MeetingScript {
  const known = longScripts.get(segments);
  if (known !== undefined) return known;
  const planning = findScript('en/quarterly-planning');
  const chapters: MeetingScript['chapters'][number][] = [];
  for (let left = segments; left > 0;) {
    const chapter = planning.chapters[chapters.length % planning.chapters.length];
    if (chapter === undefined || chapter.lines.length === 0) throw new Error('A chapter has no lines.');
    const lines = chapter.lines.slice(0, left);
    chapters.push({ ...chapter, lines });
    left -= lines.length;
  }
  const script = { ...planning, name: 'Planning day', chapters };
  longScripts.set(segments, script);
  return script;
}
