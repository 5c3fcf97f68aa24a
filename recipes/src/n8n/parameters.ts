import type { Parameter, Parameters } from './workflow.ts';

/** A text as n8n shows it and nothing more: one that begins with `=` would be run as an expression. */
export function literal(text: string): string {
  return text.startsWith('=') ? `={{ ${JSON.stringify(text)} }}` : text;
}

/** Conditions that must all hold, for an IF or a Filter node. */
export function allOf(...conditions: readonly Parameters[]): Parameters {
  return {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
      conditions,
      combinator: 'and',
    },
    options: {},
  };
}

/** Holds when the expression is true. */
export function isTrue(id: string, expression: string): Parameters {
  return {
    id,
    leftValue: `={{ ${expression} }}`,
    rightValue: '',
    operator: { type: 'boolean', operation: 'true', singleValue: true },
  };
}

/** Holds when the text fits the regular expression. */
export function fits(id: string, expression: string, pattern: RegExp): Parameters {
  return {
    id,
    leftValue: `={{ ${expression} }}`,
    rightValue: String(pattern),
    operator: { type: 'string', operation: 'regex' },
  };
}

/** The value of a field: text, a number, or an expression whose value is a text. */
export type Assigned = string | number | { readonly expression: string };

/** Fields for a Set node: text stays text, numbers stay numbers. */
export function assignments(values: Readonly<Record<string, Assigned>>): Parameters {
  const list: readonly Parameter[] = Object.entries(values).map(([name, value]) => ({
    id: name,
    name,
    value: typeof value === 'string' ? literal(value) : typeof value === 'number' ? value : value.expression,
    type: typeof value === 'number' ? 'number' : 'string',
  }));
  return { assignments: { assignments: list }, includeOtherFields: true, options: {} };
}

/** The JavaScript of a Code node that sees all items at once. */
export function codeOf(...parts: readonly string[]): Parameters {
  return {
    mode: 'runOnceForAllItems',
    language: 'javaScript',
    jsCode: parts.map((part) => part.trim()).join('\n\n'),
  };
}
