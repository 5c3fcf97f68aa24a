import type { SchemaProblem } from '../stand-ins/vendor-schema.ts';

/**
 * What breaks a schema, in the words of Slack's own validator (https://github.com/slackhq/hack-json-schema), one line
 * each. `place` is the pointer to the value that was checked.
 */
export function describeProblems(problems: readonly SchemaProblem[], place: string): readonly string[] {
  const lines = problems.flatMap((problem) => describeProblem(problem, place + problem.pointer));
  // Of a line that stands twice, the last is kept: the one that follows what it is part of.
  return [...new Set(lines.toReversed())].toReversed();
}

function describeProblem(problem: SchemaProblem, pointer: string): readonly string[] {
  const { keyword, params, schemaPath } = problem;
  if (keyword === 'discriminator') {
    // Where there is no type at all, that is said already.
    const type = params['tagValue'];
    return typeof type === 'string' ? [`unsupported type: ${type} ${point(`${pointer}/type`)}`] : [];
  }
  const line = `${sayWhat(problem)} ${point(pointer)}`.trimEnd();
  // A limit that is set for one place stands beside the schema of text objects there.
  const isLimitOfPlace = keyword === 'maxLength' && /\/allOf\/1\//.test(schemaPath);
  if (!isLimitOfPlace) return [line];
  return [`failed to match all allowed schemas ${point(pointer.replace(/\/[^/]*$/, ''))}`, line];
}

/** At the top, among the arguments, Slack points nowhere. */
function point(pointer: string): string {
  return pointer === '' ? '' : `[json-pointer:${pointer}]`;
}

const typeWords: Readonly<Record<string, string>> = {
  object: 'must provide an object',
  array: 'must provide an array',
  string: 'must provide a string',
  number: 'must provide a number',
  integer: 'must provide an integer',
  boolean: 'must be a boolean',
};

function sayWhat({ keyword, params, message }: SchemaProblem): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return `missing required field: ${String(params['missingProperty'])}`;
    case 'additionalProperties':
      return `invalid additional property: ${String(params['additionalProperty'])}`;
    case 'type':
      return typeWords[String(params['type'])] ?? message;
    case 'enum':
    case 'const':
      return 'must be a valid enum value';
    case 'maxLength':
      return `must be less than ${String(limit + 1)} characters`;
    case 'minLength':
      return `must be more than ${String(limit - 1)} characters`;
    case 'maxItems':
      return `no more than ${String(limit)} items allowed`;
    case 'minItems':
      return `must provide at least ${String(limit)} items`;
    case 'maximum':
      return `must be less than ${String(limit)}`;
    case 'minimum':
      return `must be greater than ${String(limit)}`;
    case 'anyOf':
      return 'failed to match all allowed schemas';
    default:
      return message;
  }
}
