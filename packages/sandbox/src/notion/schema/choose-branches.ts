import { listTypes, nameType, resolveNode, type FindDefinition, type SchemaNode } from './schema-node.ts';

/**
 * The members of a union that a value can have meant: the one that it names as its `type`, else those of whose required
 * keys it has the most, else all. Notion's unions are told apart by one key of their own.
 */
export function chooseBranches(
  union: readonly SchemaNode[],
  value: unknown,
  find: FindDefinition,
): readonly SchemaNode[] {
  const branches = flatten(union, find);
  const ofKind = branches.filter((branch) => listTypes(branch).includes(nameType(value)));
  if (ofKind.length === 0) return branches;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ofKind;
  const named = ofKind.filter((branch) => 'type' in value && readTypeName(branch) === value.type);
  if (named.length > 0) return named;
  const counts = ofKind.map((branch) => (branch.required ?? []).filter((key) => key in value).length);
  const most = Math.max(...counts);
  return most === 0 ? branches : ofKind.filter((_branch, index) => counts[index] === most);
}

/** Unions inside of unions laid flat. */
function flatten(union: readonly SchemaNode[], find: FindDefinition): readonly SchemaNode[] {
  return union.flatMap((member) => {
    const node = resolveNode(member, find);
    return node.anyOf === undefined ? [node] : flatten(node.anyOf, find);
  });
}

function readTypeName(branch: SchemaNode): unknown {
  return branch.properties?.['type']?.const;
}
