/** A stretch of text that one font can show. */
export interface FontRun<Font> {
  readonly font: Font;
  readonly text: string;
  /** It holds something that no font has. */
  readonly isMissing: boolean;
}

interface Coverage {
  readonly hasCharacter: (character: string) => boolean;
}

/** What stands for a character that no font has. */
const missingCharacter = '?';

/** Control characters, and what only tells others how to be shown: joiners, direction marks, variation selectors. */
const invisible = /[\p{Cc}\p{Cf}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu;

/**
 * Splits text into stretches of one font each. A character stays with the font before it where that one has it, so
 * that a blank or a digit does not change the font within a sentence; else it goes to the first that has it.
 */
export function splitByFont<Font extends Coverage>(
  text: string,
  fonts: readonly [Font, ...(readonly Font[])],
): readonly FontRun<Font>[] {
  const runs: { font: Font; text: string; isMissing: boolean }[] = [];
  for (const character of text.normalize('NFC').replaceAll(invisible, '')) {
    const last = runs.at(-1);
    const able = last?.font.hasCharacter(character)
      ? last.font
      : fonts.find((font) => font.hasCharacter(character));
    const font = able ?? last?.font ?? fonts[0];
    const run = last?.font === font ? last : { font, text: '', isMissing: false };
    if (run !== last) runs.push(run);
    run.text += able === undefined ? missingCharacter : character;
    run.isMissing ||= able === undefined;
  }
  return runs;
}
