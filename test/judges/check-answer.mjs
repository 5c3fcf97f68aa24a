import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

const documentId = 'openapi.json';

/** Compares answers with what a document says of them; remembers which operations answered, and how. */
export function createAnswerCheck(document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(document, documentId);
  const complaints = [];
  const called = new Set();

  /** Keeps what is wrong with an answer to `method` at the document's own `path`. */
  async function add(method, path, response) {
    const place = `${method} ${path} ${response.status}`;
    called.add(`${method} ${path}`);
    const operation = document.paths[path]?.[method.toLowerCase()];
    const answer = operation?.responses[String(response.status)];
    if (answer === undefined) {
      complaints.push(`${place}: the document has no such answer`);
      return;
    }
    const pointer =
      answer.$ref ?? `#/paths/${escapePointer(path)}/${method.toLowerCase()}/responses/${response.status}`;
    const { content = {} } = readPointer(document, pointer);
    const mediaType = (response.headers.get('content-type') ?? '').split(';')[0].trim();
    const kind = mediaType in content ? mediaType : '*/*';
    const described = content[kind];
    if (described === undefined)
      complaints.push(`${place}: the document has no content ${mediaType || 'without a type'}`);
    if (described?.schema === undefined) return;
    const text = await response.text();
    const body = mediaType === 'application/json' ? JSON.parse(text) : text;
    const validate = ajv.compile({
      $ref: `${documentId}${pointer}/content/${escapePointer(kind)}/schema`,
    });
    if (!validate(body)) complaints.push(`${place}: ${ajv.errorsText(validate.errors)}`);
  }

  return {
    add,
    complaints: () => complaints,
    uncalled: () =>
      Object.entries(document.paths)
        .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
        .filter((operation) => !called.has(operation)),
  };
}

/** A name within a JSON pointer in a URI fragment. */
function escapePointer(name) {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function readPointer(document, pointer) {
  const names = pointer
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce((value, name) => value[name], document);
}
