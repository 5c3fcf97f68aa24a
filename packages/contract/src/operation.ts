import type { z } from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where a field of an input goes on the wire. `body` is JSON, `form` is multipart. */
export type ParamPlace = 'path' | 'query' | 'body' | 'form';

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

/** One operation of the service, as data: client, sandbox, nodes, documents and tests are driven by it. */
export interface Operation {
  /** `resource.verb`, also its place in the table. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Relative to the base address; `{name}` stands for a field of `params.path`. */
  readonly path: string;
  readonly summary: string;
  /** The specification's section. */
  readonly section: string;
  readonly params: OperationParams;
  readonly response: ResponseKind;
  /** Tolerant: never fails. Unknown fields pass; a known one that is absent or of another type is left out. */
  readonly output: z.ZodType;
  /** May be sent again when nobody knows whether the first attempt took effect. */
  readonly repeatable: boolean;
}

type FieldsIn<Params, Place extends ParamPlace> = Place extends keyof Params
  ? Params[Place] extends z.ZodType | undefined
    ? z.input<NonNullable<Params[Place]>>
    : unknown
  : unknown;

type Flat<T> = { [Key in keyof T]: T[Key] };

/** One flat object with the fields of every place: no field name stands in two of them. */
export type OperationInput<Op extends Operation> = Flat<
  FieldsIn<Op['params'], 'path'> &
    FieldsIn<Op['params'], 'query'> &
    FieldsIn<Op['params'], 'body'> &
    FieldsIn<Op['params'], 'form'>
>;

export type OperationOutput<Op extends Operation> = z.output<Op['output']>;
