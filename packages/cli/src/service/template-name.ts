import { findNearestName, templateSlugs } from '@aftermeet/contract';

import { WrongUse } from '../errors.ts';
import { cleanLine, cutToWidth } from '../terminal/text.ts';
import type { Service } from './with-service.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const MAX_SHOWN_CELLS = 60;

interface TemplateTools extends Pick<Service, 'client' | 'call'> {
  /** For a person; the command goes on. */
  readonly warn: (text: string) => void;
}

/** The field of an input for `--template`, which may be absent. */
export async function readTemplate(
  service: TemplateTools,
  given: string | undefined,
): Promise<{ templateName?: string }> {
  return given === undefined ? {} : { templateName: await resolveTemplate(service, given) };
}

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * The slug or id of a template that is given by slug, id or name. Asks for the custom templates only if no slug or UUID is
 * given. A slug that is not known goes on with a warning, because the service may have others. Throws `WrongUse`, with the
 * name that was probably meant, for anything else, and for a name that several templates have.
 */
export async function resolveTemplate({ client, call, warn }: TemplateTools, given: string): Promise<string> {
  if (uuid.test(given) || templateSlugs.some(({ slug }) => slug === given)) return given;
  const wanted = given.toLowerCase();
  const { items: custom } = await client.templates.list(call);
  if (custom.some(({ id }) => id === given)) return given;
  const found = [
    ...templateSlugs.filter(({ slug, name }) => slug === wanted || name.toLowerCase() === wanted),
    ...custom.filter(({ name }) => name.toLowerCase() === wanted),
  ].map((template) => ('slug' in template ? template.slug : template.id));
  const [only, ...others] = found;
  const shown = JSON.stringify(cutToWidth(cleanLine(given), MAX_SHOWN_CELLS));
  if (others.length > 0) {
    throw new WrongUse(
      `Several templates are called ${shown}: give the slug or id of one. aftermeet templates lists them.\n`,
    );
  }
  if (only !== undefined) return only;
  const nearest = findNearestName(given, [...templateSlugs, ...custom].map(nameTemplate));
  const proposal = nearest === undefined ? '' : `: did you mean ${cleanLine(nearest)}?`;
  if (!slugPattern.test(given)) {
    throw new WrongUse(`There is no template ${shown}${proposal}\naftermeet templates lists them.\n`);
  }
  warn(`We know no template ${shown}${proposal}\n`);
  return given;
}

function nameTemplate(template: { readonly slug: string } | { readonly name: string }): string {
  return 'slug' in template ? template.slug : template.name;
}
