import { type CheckResult, failed, ok } from '../../engine/check-result.ts';
import { checkDataSource } from './data-source.ts';
import type { PropertyMapping } from './page.ts';
import type { NotionSettings } from './settings.ts';

/** A data source that a recipe writes to. */
export interface NotionNeed {
  /** Absent: the one of the settings. */
  readonly dataSource?: string | undefined;
  readonly kind: 'meeting' | 'task';
  /** Absent: the properties have the names of the documentation. */
  readonly mapping: PropertyMapping | undefined;
}

/** Compares the properties of a data source with those that a recipe fills in. Never throws. */
export async function checkNotion(
  name: string,
  { dataSource, kind, mapping = {} }: NotionNeed,
  settings: NotionSettings,
  timeoutMs: number,
): Promise<readonly CheckResult[]> {
  const dataSourceId = dataSource ?? settings.dataSourceId;
  if (dataSourceId === undefined) return [];
  const check = await checkDataSource(settings, dataSourceId, mapping, kind, timeoutMs);
  if (check.ok) return [ok(name, ['it can be filled', ...check.notes].join('; '))];
  const advice = 'Share the data source with the integration (Connections), and look at its properties.';
  return [failed(name, check.problems.join('; '), advice)];
}
