import { customTemplates, findReportTemplate } from '../content/report-templates.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';

/** The custom templates of the workspace. The shape of the answer is assumed. */
export function listTemplates(): ServiceAnswer {
  return answerJson(200, { templates: customTemplates.map(({ id, name }) => ({ id, name })) });
}

/** Refuses an unknown `template_name` with 404, before anything is recorded, uploaded or generated (assumed). */
export function refuseTemplate(templateName: string | undefined): ServiceAnswer | undefined {
  if (templateName === undefined || findReportTemplate(templateName) !== undefined) return undefined;
  const message =
    'template_name must be the slug of a built-in template, such as team-sync, or the id of a custom template, which GET /api/v2/workspaces/active/custom-templates lists.';
  return answerError(404, 'TEMPLATE_NOT_FOUND', message, 'template_name');
}
