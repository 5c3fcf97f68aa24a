import type { OperationDescription } from '../../../../nodes/nodes/Aftermeet/actions/node-operation.ts';

type NodeProperty = OperationDescription['properties'][number];

/** A parameter with its path, such as `options.title` for one within a collection. */
export interface PlacedProperty {
  readonly path: string;
  readonly property: NodeProperty;
}

/** All parameters of an operation, those within collections included. */
export function listProperties(properties: readonly NodeProperty[], within = ''): readonly PlacedProperty[] {
  return properties.flatMap((property) => {
    const path = within + property.name;
    return [{ path, property }, ...listMembers(property, `${path}.`)];
  });
}

function listMembers({ type, options = [] }: NodeProperty, within: string): readonly PlacedProperty[] {
  if (type === 'collection') return listProperties(options.filter(isProperty), within);
  if (type !== 'fixedCollection') return [];
  return options.flatMap((option) =>
    'values' in option ? listProperties(option.values, `${within}${option.name}.`) : [],
  );
}

type Option = NonNullable<NodeProperty['options']>[number];

function isProperty(option: Option): option is NodeProperty {
  return 'type' in option && 'default' in option;
}

/** What can be chosen, where something can. */
export function listChoices({
  type,
  options = [],
}: NodeProperty): readonly { name: string; value: unknown }[] {
  if (type !== 'options' && type !== 'multiOptions') return [];
  return options.flatMap((option) => ('value' in option ? [{ name: option.name, value: option.value }] : []));
}
