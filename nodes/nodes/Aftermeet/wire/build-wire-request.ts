import { buildRequest, listFields, type Operation, type Problem } from '@aftermeet/contract';

/** The fields of one request by their names on the wire; what is undefined is left out. */
export type WireFields = Readonly<Record<string, unknown>>;

export type WireRequest =
  | {
      readonly ok: true;
      readonly method: Operation['method'];
      /** Relative to the base address, percent-encoded, with its query. */
      readonly path: string;
      readonly json?: Readonly<Record<string, unknown>>;
      /** The parts of a form but for the file. */
      readonly form?: readonly (readonly [name: string, value: string])[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The contract's `buildRequest` for fields by their names on the wire, which its problems have too. Pure. */
export function buildWireRequest(operation: Operation, given: WireFields): WireRequest {
  const fields = listFields(operation);
  const built = buildRequest<Operation>(operation, toInput(operation, given));
  if (!built.ok) {
    const problems = built.problems.map((problem) => {
      const [name, ...rest] = problem.path;
      const wire = fields.find((field) => field.name === name)?.wire ?? name;
      return { ...problem, path: wire === undefined ? [] : [wire, ...rest] };
    });
    return { ok: false, problems };
  }
  const { method, path, query, json, form } = built;
  const search = new URLSearchParams([...query]).toString();
  return {
    ok: true,
    method,
    path: search === '' ? path : `${path}?${search}`,
    ...(json === undefined ? {} : { json }),
    ...(form === undefined
      ? {}
      : { form: form.flatMap((part) => ('value' in part ? [[part.name, part.value] as const] : [])) }),
  };
}

/** The same fields by the contract's names, as the client has them. Pure. */
export function toInput(operation: Operation, given: WireFields): WireFields {
  const names = new Map(listFields(operation).map(({ wire, name }) => [wire, name]));
  return Object.fromEntries(Object.entries(given).map(([wire, value]) => [names.get(wire) ?? wire, value]));
}
