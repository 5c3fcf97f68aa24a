import { asFields, readFirst } from './report/loose.ts';
import { asId } from './report/read-id.ts';

/** The id of the template that a generation made, as `templateId` of an edit. */
export function readCreatedId(body: unknown): string | undefined {
  const outer = asFields(body) ?? {};
  const places = [outer, asFields(outer['data']) ?? {}];
  return places
    .map((place) => readFirst(place, ['created_template_id', 'createdTemplateId'], asId))
    .find((id) => id !== undefined);
}
