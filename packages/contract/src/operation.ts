import type { ErrorStatus } from './error-codes.ts';
import type { Field } from './field.ts';
import type { Rule } from './rules.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where a field of an input goes on the wire. `body` is JSON, `form` is multipart. */
const paramPlaces = ['path', 'query', 'body', 'form'] as const;

export type ParamPlace = (typeof paramPlaces)[number];

/** Fields by the caller's names for them. */
type Fields = Readonly<Record<string, Field>>;

/** The fields of a request, by the place where they go. */
type OperationParams = { readonly [Place in ParamPlace]?: Fields };

/** `mixed`: JSON or plain text, by the content type of the answer. Any answer may be empty. */
export type ResponseKind = 'json' | 'mixed' | 'binary';

/** A refusal that is neither in the specification nor observed, but to be expected. */
export interface AssumedError {
  readonly status: ErrorStatus;
  /** What it means here. */
  readonly meaning: string;
}

/** One operation of the service, as data: client, sandbox, nodes, documents and tests are driven by it. */
export interface Operation {
  /** `resource.verb`, also its place in the table. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Relative to the base address; `{name}` stands for the field of `params.path` with that name on the wire. */
  readonly path: string;
  readonly summary: string;
  /** Rules and surprises that no single field holds, in whole sentences. */
  readonly description: string;
  /** The specification's section. */
  readonly section: string;
  readonly params: OperationParams;
  /** A rule across fields, for an input whose fields are right by themselves: the one that breaks it, and what it must be. */
  readonly checkTogether?: (input: Readonly<Record<string, unknown>>) => BrokenField | undefined;
  readonly response: ResponseKind;
  /** The refusals that are known, in ascending order; others may come. */
  readonly errors: readonly ErrorStatus[];
  /** How the sandbox refuses what has to be refused somehow; none of `errors`. */
  readonly assumedErrors?: readonly AssumedError[];
  /** May be sent again when it is unknown whether the first attempt took effect. */
  readonly repeatable: boolean;
}

export interface BrokenField {
  readonly name: string;
  readonly expected: string;
}

/** The general statuses of the specification, and the observed one about plans: any operation may answer so. */
export const commonErrors = [400, 401, 403, 404, 500] as const;

/** How a report is refused that does not exist yet, where the specification shows no way to say so. */
export const reportNotReady: AssumedError = {
  status: 409,
  meaning: 'There is no report yet: ask again later.',
};

type FieldsIn<Params, Place extends ParamPlace> = Params extends { readonly [Key in Place]: infer Given }
  ? Given extends Fields
    ? InputOf<Given>
    : unknown
  : unknown;

type InputOf<Given extends Fields> = {
  readonly [Name in keyof Given as Given[Name]['required'] extends true ? Name : never]: ValueOf<Given[Name]>;
} & {
  readonly [Name in keyof Given as Given[Name]['required'] extends true ? never : Name]?:
    | ValueOf<Given[Name]>
    | undefined;
};

type ValueOf<Given extends Field> = Given['rule'] extends Rule<infer Value> ? Value : never;

type Flat<T> = { readonly [Key in keyof T]: T[Key] };

/** One flat object with the fields of every place: no name stands in two of them. */
export type OperationInput<Op extends Operation> = Flat<
  FieldsIn<Op['params'], 'path'> &
    FieldsIn<Op['params'], 'query'> &
    FieldsIn<Op['params'], 'body'> &
    FieldsIn<Op['params'], 'form'>
>;

/** A field with its place and its names. */
export interface ListedField extends Field {
  readonly place: ParamPlace;
  /** The caller's name. */
  readonly name: string;
  /** The name on the wire. */
  readonly wire: string;
}

/** All fields of an operation's input, in the order of the table. */
export function listFields(operation: Operation): readonly ListedField[] {
  return paramPlaces.flatMap((place) =>
    Object.entries(operation.params[place] ?? {}).map(([name, field]) => ({
      wire: name,
      ...field,
      place,
      name,
    })),
  );
}
