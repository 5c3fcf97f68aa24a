/** What a service or a foreign server said: its fields are its own. */
const foreignFields: ReadonlySet<string> = new Set([
  'answer',
  'body',
  'inputSchema',
  'message',
  'structured',
  'with',
  'options',
  'workflow',
]);

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
const errorCode = /^[a-z]+(?:_[a-z]+)*$/;

/** The one schema of `--json`: what breaks its rules, with where it stands. */
export function findJsonFaults(output: unknown): readonly string[] {
  if (!isObject(output) || Array.isArray(output)) return ['$: not an object'];
  if ('error' in output && isObject(output.error)) return findErrorFaults(output.error);
  if ('items' in output && !Array.isArray(output.items)) return ['$.items: not a list'];
  return findFaults(output, '$');
}

function findErrorFaults(error: object): readonly string[] {
  const { code, message, advice, ...others } = { code: '', message: '', advice: '', ...error };
  const known = ['operation', 'retryable', 'status', 'serviceStatus'];
  return [
    ...(typeof code === 'string' && errorCode.test(code) ? [] : ['$.error.code: not a word']),
    ...(typeof message === 'string' && message !== '' ? [] : ['$.error.message: not a text']),
    ...(typeof advice === 'string' ? [] : ['$.error.advice: not a text']),
    ...Object.keys(others)
      .filter((name) => !known.includes(name))
      .map((name) => `$.error.${name}: unknown`),
  ];
}

function findFaults(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => findFaults(item, `${path}[${at}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => [
    ...findFieldFaults(name, field).map((fault) => `${path}.${name}: ${fault}`),
    ...(foreignFields.has(name) ? [] : findFaults(field, `${path}.${name}`)),
  ]);
}

function findFieldFaults(name: string, value: unknown): readonly string[] {
  // The sandbox names variables of the environment.
  if (!/^(?:[a-z][A-Za-z0-9]*|[A-Z_]+)$/.test(name)) return ['not in camelCase'];
  if (/^(?:meeting|eventKind)$/.test(name) && typeof value === 'string') return ['meetingId or event'];
  if (name === 'kind' && typeof value === 'string' && value.startsWith('meeting.')) return ['event'];
  if (/(?:^at|At)$/.test(name) && value !== null && !(typeof value === 'string' && utc.test(value)))
    return ['no time in UTC'];
  if (name.endsWith('Ms') && !(typeof value === 'number' && value < 1e11)) return ['no duration'];
  return [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
