// The declarations must follow this file into every program that reads it from its source.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./fontkit.d.ts" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { create } from 'fontkit';

/** A typeface in the two weights that an export uses. */
export interface PdfFont {
  readonly name: string;
  readonly regular: Buffer;
  readonly bold: Buffer;
  readonly hasCharacter: (character: string) => boolean;
}

/** Noto Sans is a part of this package (see `fonts/OFL.txt`). */
const ownFolder = new URL('../../../fonts/', import.meta.url);
const chinesePackage = '@expo-google-fonts/noto-sans-sc';

/**
 * The fonts for a PDF, the first that has a character wins: Noto Sans for Latin, Greek and Cyrillic, and Noto Sans SC
 * for Chinese and Japanese where its package, which is optional because of its 92 MB, is installed.
 */
export function loadPdfFonts(): readonly [PdfFont, ...PdfFont[]] {
  const own = readFont('NotoSans', (file) => fileURLToPath(new URL(file, ownFolder)), {
    regular: 'NotoSans_400Regular.ttf',
    bold: 'NotoSans_700Bold.ttf',
  });
  const { resolve } = createRequire(import.meta.url);
  try {
    const chinese = readFont('NotoSansSC', (file) => resolve(`${chinesePackage}/${file}`), {
      regular: '400Regular/NotoSansSC_400Regular.ttf',
      bold: '700Bold/NotoSansSC_700Bold.ttf',
    });
    return [own, chinese];
  } catch {
    // The package is not installed.
    return [own];
  }
}

function readFont(
  name: string,
  locate: (file: string) => string,
  files: { readonly regular: string; readonly bold: string },
): PdfFont {
  const regular = readFileSync(locate(files.regular));
  const font = create(regular);
  return {
    name,
    regular,
    bold: readFileSync(locate(files.bold)),
    hasCharacter: (character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  };
}
