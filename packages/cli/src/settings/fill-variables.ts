import type { SettingProblem } from './problem.ts';
import type { Environment } from './settings.ts';

/** `${NAME}`, `${NAME:-default}` and `${file:/path}`. */
const reference = /\$\{(?:file:([^}]*)|([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?)\}/g;

/** Reads a small file of text, as secrets are mounted into containers; undefined when that is not possible. */
export type ReadSecretFile = (path: string) => string | undefined;

/**
 * Fills `${NAME}`, `${NAME:-default}` and `${file:PATH}` in every text of a parsed file. A name that is not set
 * and has no default is a problem, and so is a file that can't be read, is empty or has white space around its text:
 * an empty secret would be worse than no start.
 */
export function fillVariables(
  value: unknown,
  environment: Environment,
  readSecretFile: ReadSecretFile = () => undefined,
): { readonly value: unknown; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const fillVariable = (at: string, name: string, fallback: string | undefined): string => {
    // Own names only: `toString` is there in every object, and would make a secret that anybody knows.
    const found = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (found !== undefined && found !== '') return found;
    if (fallback !== undefined) return fallback;
    problems.push({
      setting: at,
      found: `\${${name}}, which is not set`,
      expected: `the variable ${name}, or a default: \${${name}:-…}`,
    });
    return '';
  };
  const fillFile = (at: string, path: string): string => {
    const text = path === '' ? undefined : readSecretFile(path);
    if (text !== undefined && text !== '' && text.trim() === text) return text;
    if (text !== undefined && text !== '') {
      problems.push({
        setting: at,
        found: `\${file:${path}}, which begins or ends with white space`,
        expected: 'the value alone, with one line end after it at most',
      });
      return '';
    }
    problems.push({
      setting: at,
      found: `\${file:${path}}, ${text === '' ? 'which is empty' : "which can't be read"}`,
      expected: 'the path of a file of at most 4096 bytes',
    });
    return '';
  };
  const fill = (node: unknown, at: string): unknown => {
    if (typeof node === 'string') {
      return node.replace(
        reference,
        (_whole, path: string | undefined, name: string, fallback: string | undefined) =>
          path === undefined ? fillVariable(at, name, fallback) : fillFile(at, path),
      );
    }
    if (Array.isArray(node)) return node.map((item, index) => fill(item, `${at}.${index}`));
    if (typeof node === 'object' && node !== null) {
      return Object.fromEntries(
        Object.entries(node).map(([key, item]) => [key, fill(item, at === '' ? key : `${at}.${key}`)]),
      );
    }
    return node;
  };
  return { value: fill(value, ''), problems };
}
