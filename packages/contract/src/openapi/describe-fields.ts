import { listFields, type Operation, type ParamPlace } from '../operation.ts';
import type { Rule } from '../rules.ts';

/** A field of an operation's input, for people. */
export interface FieldDescription {
  /** On the wire. */
  readonly name: string;
  /** For a caller of the client. */
  readonly inputName: string;
  readonly place: ParamPlace;
  /** What a caller writes. */
  readonly type: Rule['type'];
  readonly isRequired: boolean;
  /** What a value must be, as `expected` of a problem. */
  readonly rule: string;
  readonly meaning: string;
  /** True when the field is not in the specification. */
  readonly isObserved: boolean;
  /** Values that the specification shows; never all there are. */
  readonly examples: readonly string[];
  /** Values that were observed besides. */
  readonly observedExamples: readonly string[];
}

/** What an operation takes, field by field in the order of the table. */
export function describeFields(operation: Operation): readonly FieldDescription[] {
  return listFields(operation).map((field) => ({
    name: field.wire,
    inputName: field.name,
    place: field.place,
    type: field.rule.type,
    isRequired: field.required,
    rule: field.rule.words,
    meaning: field.description,
    isObserved: field.observed ?? false,
    examples: field.examples ?? [],
    observedExamples: field.observedExamples ?? [],
  }));
}
