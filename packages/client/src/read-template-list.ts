import type { Template } from './client.ts';
import { findList } from './find-list.ts';
import { asFields, firstText, readFirst } from './report/loose.ts';
import { asId } from './report/read-id.ts';

const listNames = ['templates', 'custom_templates', 'customTemplates', 'items', 'results'] as const;

/** Undefined when the answer holds no list of templates; its shape is not shown, so names are taken as they come. */
export function readTemplateList(body: unknown): readonly Template[] | undefined {
  return findList(body, listNames)?.flatMap(readTemplate);
}

function readTemplate(raw: unknown): Template[] {
  const fields = asFields(raw) ?? {};
  const id = readFirst(fields, ['id', 'template_id', 'templateId', 'uuid'], asId);
  if (id === undefined) return [];
  return [{ id, name: firstText(fields, 'name', 'template_name', 'title') ?? 'Untitled', raw }];
}
