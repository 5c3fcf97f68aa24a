import { readVendorDefinitions } from '../../stand-ins/vendor-definitions.ts';
import type { Parts } from '../../web/read-parts.ts';
import { refuseMismatches, type NotionRefusal } from '../notion-refusal.ts';
import { findMismatches } from './find-mismatches.ts';
import type { SchemaNode } from './schema-node.ts';

/** Checks the arguments of a call against the type that Notion's SDK publishes for them. */
export async function checkShape(definition: string, args: Parts): Promise<NotionRefusal | undefined> {
  const definitions = await readVendorDefinitions('notion');
  const find = (name: string): SchemaNode => definitions[name] ?? {};
  const mismatches = findMismatches(find(definition), args, 'body', find);
  return mismatches.length === 0 ? undefined : refuseMismatches(mismatches);
}
