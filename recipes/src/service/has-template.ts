import { templateSlugs } from '@aftermeet/contract';

export interface WantedTemplate {
  /** A built-in slug or the id of a custom template. */
  readonly template: string;
  /** Further names that reports may have for it. */
  readonly names: readonly string[];
}

const builtIn: ReadonlyMap<string, string> = new Map(templateSlugs.map(({ slug, name }) => [slug, name]));

/** Whether a template comes with the service, so that its name is known without asking for it. */
export function isBuiltIn(template: string): boolean {
  return builtIn.has(template);
}

/**
 * Whether a report was seen to be made with a template. How a report names its templates is not shown in the
 * specification: a slug, a name or an id each will do. One that is not seen may be there under a name that nobody knows.
 * `shown` is what the report says of those that it has.
 */
export function hasTemplate(shown: readonly string[], { template, names }: WantedTemplate): boolean {
  const words = [template, ...names, builtIn.get(template) ?? ''].map(foldName).filter((word) => word !== '');
  return shown.some((name) => words.includes(foldName(name)));
}

function foldName(name: string): string {
  return name
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');
}
