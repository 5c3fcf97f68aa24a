import type * as z from 'zod';

import type { ErrorStatus } from './error-codes.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where a field of an input goes on the wire. `body` is JSON, `form` is multipart. */
export const paramPlaces = ['path', 'query', 'body', 'form'] as const;

export type ParamPlace = (typeof paramPlaces)[number];

/**
 * One strict object per place. A schema's input is what a caller writes (lists, booleans, numbers); its output is
 * what the wire carries (comma-separated text, `true`, digits): parsing encodes, codecs hold the way back.
 */
export interface OperationParams {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly form?: z.ZodObject;
}

/** `mixed`: JSON or plain text, by the content type of the answer. Any answer may be empty. */
export type ResponseKind = 'json' | 'mixed' | 'binary';

/** What an answer carries, as documents show it: `output` reads more than this. */
export interface AnswerBody {
  /** A range of all types (RFC 9110) where the specification shows no kind. */
  readonly mediaType: string;
  /** Absent for bytes, and where the specification shows no shape and none was observed. */
  readonly schema?: z.ZodType;
  /** True when the media type is not in the specification. What a schema says of itself stands in its meta. */
  readonly observed?: true;
}

/** A success of an operation. */
export interface OperationAnswer {
  readonly status: 200 | 201 | 202;
  /** What it means here. */
  readonly meaning: string;
  readonly bodies: readonly AnswerBody[];
  /** True when the status is not in the specification. */
  readonly observed?: true;
}

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
  /** Relative to the base address; `{name}` stands for a field of `params.path`. */
  readonly path: string;
  readonly summary: string;
  /** Rules and surprises that no single field holds, in whole sentences. */
  readonly description: string;
  /** The specification's section. */
  readonly section: string;
  readonly params: OperationParams;
  readonly response: ResponseKind;
  /** The successes that are known; others may come. */
  readonly answers: readonly OperationAnswer[];
  /** The refusals that are known, in ascending order; others may come. */
  readonly errors: readonly ErrorStatus[];
  /** How the sandbox refuses what has to be refused somehow; none of `errors`. */
  readonly assumedErrors?: readonly AssumedError[];
  /** Tolerant: never fails. Unknown fields pass; a known one that is absent or of another type is left out. */
  readonly output: z.ZodType;
  /** May be sent again when it is unknown whether the first attempt took effect. */
  readonly repeatable: boolean;
}

type FieldsIn<Params, Place extends ParamPlace> = Place extends keyof Params
  ? Params[Place] extends z.ZodType | undefined
    ? z.input<NonNullable<Params[Place]>>
    : unknown
  : unknown;

type Flat<T> = { readonly [Key in keyof T]: ReadonlyList<T[Key]> };

type ReadonlyList<T> = T extends (infer Item)[] ? readonly Item[] : T;

/** One flat object with the fields of every place: no field name stands in two of them. */
export type OperationInput<Op extends Operation> = Flat<
  FieldsIn<Op['params'], 'path'> &
    FieldsIn<Op['params'], 'query'> &
    FieldsIn<Op['params'], 'body'> &
    FieldsIn<Op['params'], 'form'>
>;

export type OperationOutput<Op extends Operation> = z.output<Op['output']>;
