import type { Rule } from './rules.ts';

/** A field of an operation's input, under the caller's name for it. */
export interface Field<Value = unknown, Required extends boolean = boolean> extends FieldFacts<Value> {
  readonly required: Required;
}

/** What is said of a field, wherever it stands. */
export interface FieldFacts<Value = unknown> {
  /** Its name on the wire, where that is another than the caller's. */
  readonly wire?: string;
  /** What its value must be. */
  readonly rule: Rule<Value>;
  /** For people: a phrase without a full stop. */
  readonly description: string;
  /** Values that the specification shows; never all there are. */
  readonly examples?: readonly string[];
  /** Values that were observed besides. */
  readonly observedExamples?: readonly string[];
  /** True when the field is not in the specification. */
  readonly observed?: boolean;
}

/** A field that an operation needs. */
export function required<Value>(facts: FieldFacts<Value>): Field<Value, true> {
  return { ...facts, required: true };
}

/** A field that may be left out. */
export function optional<Value>(facts: FieldFacts<Value>): Field<Value, false> {
  return { ...facts, required: false };
}
