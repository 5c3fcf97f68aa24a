import type { NotionSettings } from '../destinations.ts';
import { checkDataSource } from '../notion/check-data-source.ts';
import type { PropertyMapping } from '../notion/notion-page.ts';
import { type CheckResult, failed, ok } from './check-result.ts';

/** A data source that a recipe puts something into. */
export interface NotionNeed {
  readonly recipe: string;
  readonly dataSourceId: string;
  readonly kind: 'meeting' | 'task';
  readonly mapping: PropertyMapping;
}

/** Asks Notion for a data source and compares its properties with what a recipe fills in. Never throws. */
export async function checkNotion(
  settings: NotionSettings,
  { recipe, dataSourceId, kind, mapping }: NotionNeed,
  timeoutMs: number,
): Promise<CheckResult> {
  const name = `Notion data source of ${recipe}`;
  const check = await checkDataSource(settings, dataSourceId, mapping, kind, timeoutMs);
  if (check.ok) return ok(name, ['it can be filled', ...check.notes].join('; '));
  return failed(
    name,
    check.problems.join('; '),
    'Share the data source with the integration (Connections), and look at its properties.',
  );
}
