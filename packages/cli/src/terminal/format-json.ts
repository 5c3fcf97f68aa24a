/** What JSON may hold unescaped, but a terminal would obey or hide. */
const harmful = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u206F]/g;

/** More than anybody means, and few enough for the stack of any reader. */
const MOST_LEVELS = 500;
const CUT = `(cut: more than ${MOST_LEVELS} levels deep)`;

/**
 * JSON for `--json`: the same value to every reader, and harmless on a terminal. Of a value that is nested
 * deeper than 500 levels, the rest is replaced by a text that says so.
 */
export function formatJson(value: unknown, { oneLine = false } = {}): string {
  const text = JSON.stringify(value ?? null, createCutter(), oneLine ? 0 : 2);
  return `${text.replaceAll(harmful, escapeCharacter)}\n`;
}

/** For `JSON.stringify`, which shows each object before what is in it. */
function createCutter(): (this: unknown, key: string, value: unknown) => unknown {
  const levels = new WeakMap<object, number>();
  return function cutDeep(_key, value) {
    if (!isObject(value)) return value;
    const level = (isObject(this) ? (levels.get(this) ?? 0) : 0) + 1;
    if (level > MOST_LEVELS) return CUT;
    levels.set(value, level);
    return value;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
