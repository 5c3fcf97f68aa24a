import type { SettingProblem } from './problem.ts';
import type { Environment } from './settings.ts';

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Fills `${NAME}` and `${NAME:-default}` in every text of a parsed file. A name that is not set and has no
 * default is a problem: an empty secret would be worse than no start.
 */
export function fillVariables(
  value: unknown,
  environment: Environment,
  path = '',
): { readonly value: unknown; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const fill = (node: unknown, at: string): unknown => {
    if (typeof node === 'string') {
      return node.replace(reference, (_whole, name: string, fallback: string | undefined) => {
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
      });
    }
    if (Array.isArray(node)) return node.map((item, index) => fill(item, `${at}[${index}]`));
    if (typeof node === 'object' && node !== null) {
      return Object.fromEntries(
        Object.entries(node).map(([key, item]) => [key, fill(item, at === '' ? key : `${at}.${key}`)]),
      );
    }
    return node;
  };
  return { value: fill(value, path), problems };
}
