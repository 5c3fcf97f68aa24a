import type { OperationDescription } from '../../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import { listChoices, listProperties } from './list-properties.ts';

type NodeProperty = OperationDescription['properties'][number];
type Parameters = Readonly<Record<string, unknown>>;

/** What is wrong with the parameters of a node in a workflow, in the words of its description: unknown, missing, or no choice of it. */
export function findParameterProblems(
  properties: readonly NodeProperty[],
  parameters: Parameters,
): readonly string[] {
  const shown = properties.filter((property) => isShown(property, parameters));
  const unknown = Object.keys(parameters)
    .filter((name) => shown.every((property) => property.name !== name))
    .map((name) => `${name} is no parameter here`);
  return [...unknown, ...shown.flatMap((property) => judge(property, parameters[property.name]))];
}

/** As n8n shows it: each parameter of `show` has one of its values. Nothing of ours uses more of `displayOptions`. */
function isShown({ displayOptions }: NodeProperty, parameters: Parameters): boolean {
  return Object.entries(displayOptions?.show ?? {}).every(([name, values = []]) =>
    [...values].some((value) => value === parameters[name]),
  );
}

function judge(property: NodeProperty, given: unknown): readonly string[] {
  const { name, type, required = false } = property;
  if (given === undefined) return required && property.default === '' ? [`${name} is missing`] : [];
  if (type === 'collection') {
    const known = listProperties([property]).map(({ path }) => path);
    return Object.keys(isFields(given) ? given : {})
      .filter((member) => !known.includes(`${name}.${member}`))
      .map((member) => `${name}.${member} is no parameter`);
  }
  if (type === 'resourceLocator') {
    const value = isFields(given) ? given['value'] : undefined;
    return required && (typeof value !== 'string' || value === '') ? [`${name} is empty`] : [];
  }
  if (required && given === '') return [`${name} is empty`];
  const choices: readonly unknown[] = listChoices(property).map(({ value }) => value);
  const chosen: readonly unknown[] = Array.isArray(given) ? given : [given];
  return choices.length === 0
    ? []
    : chosen.filter((one) => !choices.includes(one)).map((one) => `${name} has no ${String(one)}`);
}

function isFields(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
