import { dropOldest } from '../service/drop-oldest.ts';
import { fillScene } from './generator/fill-scene.ts';
import { longestSegments, makeLongScript } from './generator/make-long-script.ts';
import { findContentLanguage } from './languages.ts';
import { launchReview } from './launch-review.ts';
import type { MeetingScript } from './meeting-script.ts';
import { findScene } from './scenes/scene-table.ts';
import { warehouseSync } from './warehouse-sync.ts';

const handWritten: Readonly<Record<string, MeetingScript>> = {
  'launch-review': launchReview,
  'warehouse-sync': warehouseSync,
};

/** The ids of the hand-written meetings, which recordings turn into, in turn. */
export const sampleScriptIds = ['launch-review', 'warehouse-sync'] as const;

const scenePattern = /^(?<code>[a-z]{2})\/(?<scene>[a-z-]+)\/(?:0|[1-9]\d{0,8})$/;
const longPattern = /^long\/(?<segments>[1-9]\d{0,4})\/(?<variant>0|[1-9]\d{0,8})$/;

const keptScripts = 64;
const made = new Map<string, MeetingScript>();

/**
 * What is said in a sample meeting. The id is the name of a hand-written one (`launch-review`), a variant of a scene
 * (`de/retrospective/17`: language, scene, a number from 0) or a long meeting (`long/6000/1`: segments, up to 10,000,
 * and a variant). The same id means the same meeting in every release; one that is not known (any more) means
 * `launch-review`.
 */
export function findScript(scriptId: string): MeetingScript {
  return readScript(scriptId) ?? launchReview;
}

/** Whether there is a meeting of this id. */
export function isScript(scriptId: string): boolean {
  return readScript(scriptId) !== undefined;
}

function readScript(scriptId: string): MeetingScript | undefined {
  const known = made.get(scriptId);
  if (known !== undefined) return known;
  const script = Object.hasOwn(handWritten, scriptId) ? handWritten[scriptId] : makeScript(scriptId);
  if (script === undefined) return undefined;
  made.set(scriptId, script);
  dropOldest(made, keptScripts);
  return script;
}

function makeScript(scriptId: string): MeetingScript | undefined {
  const long = longPattern.exec(scriptId)?.groups;
  if (long !== undefined) {
    const segments = Number(long['segments']);
    return segments > longestSegments ? undefined : makeLongScript(segments, Number(long['variant']));
  }
  const { code = '', scene: name = '' } = scenePattern.exec(scriptId)?.groups ?? {};
  const language = findContentLanguage(code);
  const scene = language === undefined ? undefined : findScene(language, name);
  if (language === undefined || scene === undefined) return undefined;
  return fillScene(language, scene, { people: scriptId, slots: scriptId });
}
