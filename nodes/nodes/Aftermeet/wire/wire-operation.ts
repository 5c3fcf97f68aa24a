/** How a field is written on the wire; `text` as it is. */
type WireKind = 'text' | 'list' | 'boolean' | 'integer' | 'file';

/** Where it goes: as in the contract. */
export type WirePlace = 'path' | 'query' | 'body' | 'form';

/** One field of a request. */
export interface WireField {
  readonly place: WirePlace;
  readonly required: boolean;
  readonly kind: WireKind;
  /** The rule that its value keeps (field-rules.ts). */
  readonly rule: FieldRule;
  /** Of `one of`: the values that there are. */
  readonly values?: readonly string[];
  /** Of a whole number: the least one. */
  readonly min?: number;
  /** Of a whole number: the greatest one, where there is one. */
  readonly max?: number;
}

/** What a value has to be; each is a function in field-rules.ts. */
export type FieldRule =
  | 'any text'
  | 'text'
  | 'web address'
  | 'planned start'
  | 'cron'
  | 'mail addresses'
  | 'secret'
  | 'list items'
  | 'date'
  | 'time zone'
  | 'uuid'
  | 'file name'
  | 'sha256'
  | 'whole number'
  | 'boolean'
  | 'one of'
  | 'bytes';

/** One operation of the service without zod, which may not be bundled. That it says what the contract says, a test shows. */
export interface WireOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{name}` stands for a field whose place is `path`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, WireField>>;
  /** May be sent again when nobody knows whether the first attempt took effect. */
  readonly repeatable: boolean;
}
