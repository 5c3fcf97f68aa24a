/** The part of fontkit that is used here; the package brings no types of its own. */
declare module 'fontkit' {
  interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }

  export function create(bytes: Buffer): Font;
}
