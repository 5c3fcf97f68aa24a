import { z } from 'zod';

import { knobsSchema, type Knobs } from './knobs.ts';

/** One knob, for people. */
export interface KnobDescription {
  readonly name: keyof Knobs;
  readonly description: string;
  /** What it may be turned to: `a whole number from 1 to 10000`. */
  readonly values: string;
  /** As JSON. */
  readonly first: string;
  /** Values that are not obvious, as JSON. */
  readonly examples: readonly string[];
}

/** What JSON Schema says of a value, as far as knobs use it. */
const nodeSchema = z.looseObject({
  type: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(nodeSchema).optional();
  },
  get items() {
    return nodeSchema.optional();
  },
  get propertyNames() {
    return nodeSchema.optional();
  },
  properties: z.record(z.string(), z.unknown()).optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
});

type Node = z.infer<typeof nodeSchema>;

const propertySchema = nodeSchema.extend({
  description: z.string(),
  default: z.unknown(),
  examples: z.array(z.unknown()).default([]),
});

/** All knobs, in the order of the table. */
export function describeKnobs(): readonly KnobDescription[] {
  return knobNames.map(describeKnob);
}

/** What is known of one knob, from its schema. */
export function describeKnob(name: keyof Knobs): KnobDescription {
  const node = propertySchema.parse(z.toJSONSchema(knobsSchema.shape[name], { io: 'input' }));
  return {
    name,
    description: node.description,
    values: describeValues(node),
    first: JSON.stringify(node.default),
    examples: node.examples.map((example) => JSON.stringify(example)),
  };
}

/** The names of all knobs. */
// The keys of the schema's shape are those of what it reads.
export const knobNames = Object.keys(knobsSchema.shape) as readonly (keyof Knobs)[];

function describeValues(node: Node): string {
  if (node.anyOf !== undefined) return node.anyOf.map(describeValues).join(' or ');
  if ('const' in node) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((value) => JSON.stringify(value)).join(', ');
  if (node.type === 'boolean') return 'true, false';
  if (node.type === 'integer' || node.type === 'number') return describeRange(node);
  if (node.type === 'array')
    return `a list of ${node.items?.enum === undefined ? 'texts' : describeValues(node.items)}`;
  if (node.type === 'object') return describeObject(node);
  return node.type ?? 'anything';
}

function describeRange({ type, minimum, exclusiveMinimum, maximum }: Node): string {
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  const low =
    exclusiveMinimum === undefined ? ` from ${String(minimum)}` : ` above ${String(exclusiveMinimum)}`;
  const isOpen = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
  return `${kind}${low}${isOpen ? ' on' : ` to ${String(maximum)}`}`;
}

function describeObject({ properties, propertyNames }: Node): string {
  if (properties !== undefined) return `an object with ${Object.keys(properties).join(', ')}`;
  const names = propertyNames?.enum;
  return names === undefined ? 'an object' : `an object with any of ${names.join(', ')}`;
}
