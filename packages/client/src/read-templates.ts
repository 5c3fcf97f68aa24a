import { asFields, asList, firstText } from './loose.ts';
import { readListItems, readTasks } from './read-tasks.ts';
import type { ReportTemplate, Task } from './report.ts';

export interface Written {
  readonly templates: readonly ReportTemplate[];
  readonly summary?: string;
  readonly decisions: readonly string[];
  readonly tasks: readonly Task[];
  readonly dropped: number;
}

/** Block names that hold a summary when none is called `summary`, the most general first. */
const summaryNames = ['summary', 'summary_agenda', 'team_sync_agenda', 'protocol', 'summary_by_speaker'];

/** What the service wrote about the meeting: the blocks of every template, and what they say. */
export function readTemplates(value: unknown): Written {
  const found: { name: string; value: unknown }[] = [];
  let dropped = 0;
  const templates: ReportTemplate[] = [];
  for (const item of asList(value)) {
    const fields = asFields(item);
    if (fields === undefined) {
      dropped += 1;
      continue;
    }
    const id = firstText(fields, 'id', 'template_id');
    const blocks = asList(fields['entities'] ?? fields['blocks']).flatMap((entity) => {
      const block = asFields(entity);
      const name = block === undefined ? undefined : firstText(block, 'name', 'entity', 'entityName');
      if (block === undefined || name === undefined) {
        dropped += 1;
        return [];
      }
      found.push({ name, value: block['text'] });
      return [{ name, text: blockText(name, block['text']) }];
    });
    templates.push({
      name: firstText(fields, 'name') ?? 'Untitled',
      ...(id === undefined ? {} : { id }),
      blocks,
    });
  }
  const texts = templates.flatMap((template) => template.blocks);
  const summary = summaryNames
    .map((name) => texts.find((block) => block.name === name && block.text !== '')?.text)
    .find((text) => text !== undefined);
  return {
    templates,
    ...(summary === undefined ? {} : { summary }),
    decisions: texts
      .filter((block) => block.name === 'decisions')
      .flatMap((block) => readListItems(block.text)),
    tasks: dedupe(
      found.filter((entity) => entity.name === 'tasks').flatMap((entity) => readTasks(entity.value)),
    ),
    dropped,
  };
}

function blockText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (name === 'tasks')
    return readTasks(value)
      .map((task) => `- ${task.text}`)
      .join('\n');
  return '';
}

/** Two templates of one meeting often list the same task. */
function dedupe(tasks: readonly Task[]): readonly Task[] {
  const seen = new Set<string>();
  return tasks.filter((task) => {
    const key = JSON.stringify([task.text, task.owner]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
