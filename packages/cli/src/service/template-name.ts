import { findNearestName, templateSlugs } from '@aftermeet/contract/pure';

import { WrongUse } from '../errors.ts';
import { cleanLine, cutToWidth } from '../terminal/text.ts';
import type { Service } from './with-service.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const MAX_SHOWN_CELLS = 60;

/** The field of an input for `--template`, which may be absent. */
export async function readTemplate(
  service: Pick<Service, 'client' | 'call'>,
  given: string | undefined,
): Promise<{ template_name?: string }> {
  return given === undefined ? {} : { template_name: await resolveTemplate(service, given) };
}

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;

/**
 * The slug or id of a template that is given by slug, id or name. Asks for the custom templates only if no built-in one
 * is meant and it is no UUID. A slug that is unlike all that are known goes on as it is. Throws `WrongUse`, with the slug
 * or name that was probably meant, for anything else.
 */
export async function resolveTemplate(
  { client, call }: Pick<Service, 'client' | 'call'>,
  given: string,
): Promise<string> {
  const wanted = given.toLowerCase();
  const builtIn = templateSlugs.find(({ slug, name }) => slug === wanted || name.toLowerCase() === wanted);
  if (builtIn !== undefined) return builtIn.slug;
  if (uuid.test(given)) return given;
  const { items: custom } = await client.templates.list(call);
  const found =
    custom.find(({ id }) => id === given) ?? custom.find(({ name }) => name.toLowerCase() === wanted);
  if (found !== undefined) return found.id;
  const nearest = findNearestName(given, [...templateSlugs, ...custom].map(nameTemplate));
  // The service may have built-in ones that we do not know.
  if (nearest === undefined && slugPattern.test(given)) return given;
  throw new WrongUse(
    `There is no template ${JSON.stringify(cutToWidth(cleanLine(given), MAX_SHOWN_CELLS))}` +
      `${nearest === undefined ? '' : `: did you mean ${cleanLine(nearest)}?`}\naftermeet templates lists them.\n`,
  );
}

function nameTemplate(template: { readonly slug: string } | { readonly name: string }): string {
  return 'slug' in template ? template.slug : template.name;
}
