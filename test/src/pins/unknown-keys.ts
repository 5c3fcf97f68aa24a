import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import {
  type CallExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAssignment,
  isSpreadAssignment,
  isStringLiteral,
  type Node,
  type ObjectLiteralExpression,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';
import { z } from 'zod';

const referencesSchema = z.object({ references: z.array(z.object({ path: z.string() })) });

/** The configurations of the sources of all packages, and of their tests. */
export function listProjects(root: string): readonly string[] {
  const { references } = referencesSchema.parse(
    JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')),
  );
  const tests = ['tsconfig.test.json', 'tsconfig.test.nodes.json'];
  return [...references.map(({ path }) => join(path, 'tsconfig.json')), ...tests];
}

interface KeySearch {
  /** The number of files that were searched. */
  readonly files: number;
  /** Each as `file:line key`. */
  readonly unknownKeys: readonly string[];
}

/**
 * Finds the keys that the expected type does not have where the compiler does not look for them: it accepts any further
 * key in a literal with a spread in it, and in the argument of `omitUndefined`.
 */
export function findUnknownKeys(root: string, projects: readonly string[]): KeySearch {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: projects.map((path) => join(root, path)) });
    const found = new Set<string>();
    const seen = new Set<string>();
    for (const { program, checker } of snapshot.getProjects()) {
      for (const name of program.getSourceFileNames()) {
        const path = relative(root, name);
        if (seen.has(path) || path.startsWith('..') || /(?:^|\/)(?:node_modules|dist)\/|\.d\.ts$/.test(path))
          continue;
        seen.add(path);
        const file = program.getSourceFile(name);
        if (file === undefined) continue;
        for (const key of listUnknownKeys(file, checker)) {
          const { line } = file.getLineAndCharacterOfPosition(key.getStart(file));
          found.add(`${path}:${line + 1} ${key.getText(file)}`);
        }
      }
    }
    return { files: seen.size, unknownKeys: [...found].toSorted() };
  } finally {
    api.close();
  }
}

function listUnknownKeys(file: SourceFile, checker: Checker): readonly Node[] {
  const keys: Node[] = [];
  const visit = (node: Node): void => {
    if (
      isOmitUndefined(node) ||
      (isObjectLiteralExpression(node) && node.properties.some(isSpreadAssignment))
    ) {
      keys.push(...checkKeys(node, checker.getContextualType(node), checker));
    }
    node.forEachChild(visit);
  };
  visit(file);
  return keys;
}

/** Follows the expression to the literals in it; `expected` is absent where the code says no type. */
function checkKeys(node: Node, expected: Type | undefined, checker: Checker): readonly Node[] {
  if (expected === undefined) return [];
  if (isParenthesizedExpression(node)) return checkKeys(node.expression, expected, checker);
  if (isBinaryExpression(node)) return checkKeys(node.right, expected, checker);
  if (isOmitUndefined(node)) return node.arguments.flatMap((field) => checkKeys(field, expected, checker));
  if (isConditionalExpression(node)) {
    return [node.whenTrue, node.whenFalse].flatMap((branch) => checkKeys(branch, expected, checker));
  }
  return isObjectLiteralExpression(node) ? checkLiteral(node, expected, checker) : [];
}

function checkLiteral(literal: ObjectLiteralExpression, expected: Type, checker: Checker): readonly Node[] {
  const members = listMembers(expected, checker);
  return literal.properties.flatMap((property) => {
    if (isSpreadAssignment(property)) return checkKeys(property.expression, expected, checker);
    const { name } = property;
    if (members === undefined || name === undefined || !(isIdentifier(name) || isStringLiteral(name)))
      return [];
    const known = members.flatMap((member) => checker.getPropertyOfType(member, name.text) ?? []);
    if (known.length === 0) return [name];
    if (!isPropertyAssignment(property) || known.length > 1) return [];
    const [of] = known;
    return of === undefined ? [] : checkKeys(property.initializer, checker.getTypeOfSymbol(of), checker);
  });
}

/** The object types of the expected type; undefined if it takes any key. */
function listMembers(expected: Type, checker: Checker): readonly Type[] | undefined {
  const types = expected.isUnionType() ? (expected.getTypes() ?? []) : [expected];
  const objects = types.filter((type) => (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0);
  const isOpen = types.some(
    (type) =>
      (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.NonPrimitive | TypeFlags.Instantiable)) !==
      0,
  );
  const takesAny = objects.some(
    (type) => checker.getIndexInfosOfType(type).length > 0 || checker.getPropertiesOfType(type).length === 0,
  );
  return isOpen || takesAny || objects.length === 0 ? undefined : objects;
}

function isOmitUndefined(node: Node): node is CallExpression {
  return isCallExpression(node) && isIdentifier(node.expression) && node.expression.text === 'omitUndefined';
}
