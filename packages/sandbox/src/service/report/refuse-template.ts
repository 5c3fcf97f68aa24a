import { findReportTemplate } from '../../content/report-templates.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, type ServiceAnswer } from '../service-answer.ts';

/**
 * The answer to a `template_name` that no template has: 404, before anything is recorded, uploaded or generated
 * (assumed; the knob `unknownTemplate` lets it pass). Undefined where there is nothing to refuse.
 */
export function refuseTemplate(
  world: Pick<SandboxWorld, 'knobs'>,
  templateName: string | undefined,
): ServiceAnswer | undefined {
  if (templateName === undefined || findReportTemplate(templateName) !== undefined) return undefined;
  if (world.knobs.read().unknownTemplate === 'accept') return undefined;
  const message =
    'template_name must be the slug of a built-in template, as team-sync is one, or the id of a custom template, which GET /api/v2/workspaces/active/custom-templates lists.';
  return answerError(404, 'TEMPLATE_NOT_FOUND', message, 'template_name');
}
