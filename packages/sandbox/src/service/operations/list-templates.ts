import { customTemplates } from '../../content/custom-templates.ts';
import { answerJson, type ServiceAnswer } from '../service-answer.ts';

/** The custom templates of the workspace. The shape of the answer is assumed. */
export function listTemplates(): ServiceAnswer {
  return answerJson(200, { templates: customTemplates.map(({ id, name }) => ({ id, name })) });
}
