import { z } from 'zod';

import { type Environment, runAftermeet } from './aftermeet-process.ts';

const reportSchema = z.looseObject({ templates: z.array(z.looseObject({ id: z.string() })) });

/** Replaces the summary of a report, as a person does who corrects it in the service. */
export async function editSummary(meetingId: string, text: string, environment: Environment): Promise<void> {
  const { stdout } = await runAftermeet(['report', 'get', meetingId, '--json'], environment);
  const [template] = reportSchema.parse(JSON.parse(stdout)).templates;
  const block = ['--template-id', template?.id ?? '', '--block', 'summary', '--text', text];
  const { code, stderr } = await runAftermeet(['report', 'edit', meetingId, ...block], environment);
  if (code !== 0) throw new Error(`the summary was not edited: ${stderr}`);
}
