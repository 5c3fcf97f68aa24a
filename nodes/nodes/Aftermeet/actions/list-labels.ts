import type { INodeProperties } from 'n8n-workflow';

import type { FieldLabels } from '../transport/failure-words.ts';
import type { OperationDescription } from './node-operation.ts';

/** What stands above the parameters of an operation in the editor, by the field on the wire that each one fills. Pure. */
export function listLabels({ parameters, properties }: OperationDescription): FieldLabels {
  return new Map(
    Object.entries(parameters).flatMap(([field, parameter]) => {
      const label = findLabel(properties, parameter.split('.'));
      return label === undefined ? [] : [[field, label]];
    }),
  );
}

/** `options.title` is `title` within the collection `options`. */
function findLabel(properties: readonly unknown[], [name, ...inner]: readonly string[]): string | undefined {
  const property = properties.filter(isProperty).find((one) => one.name === name);
  return inner.length === 0 ? property?.displayName : findLabel(property?.options ?? [], inner);
}

/** The options of a collection are properties; those of a choice have a value in place of a label. */
function isProperty(option: unknown): option is INodeProperties {
  return typeof option === 'object' && option !== null && 'displayName' in option && 'type' in option;
}
