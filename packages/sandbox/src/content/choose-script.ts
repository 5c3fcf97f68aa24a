import { sampleScriptIds } from './find-script.ts';
import type { ContentLanguage } from './languages.ts';
import { listSceneNames } from './scenes/scene-table.ts';

export interface ScriptWish {
  /** Absent: one of the two hand-written meetings. */
  readonly language?: ContentLanguage | undefined;
  /** A whole number from 0. Numbers that follow one another bring the scenes of the language in turn, then other variants of them. */
  readonly number: number;
}

/** The id of a meeting, for `findScript`: the same one for the same wish. */
export function chooseScript({ language, number }: ScriptWish): string {
  if (language === undefined) return sampleScriptIds[number % sampleScriptIds.length] ?? sampleScriptIds[0];
  const names = listSceneNames(language);
  const name = names[number % names.length] ?? '';
  return `${language}/${name}/${String(Math.floor(number / names.length))}`;
}
