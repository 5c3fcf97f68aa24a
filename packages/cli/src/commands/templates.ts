import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { tellWarnings } from '../service/warnings.ts';
import { withService } from '../service/with-service.ts';
import { type Column, formatItems, formatTable } from '../terminal/format.ts';

interface Template {
  /** What `--template` takes. */
  readonly template: string;
  readonly name: string;
  readonly kind: 'built-in' | 'custom';
  /** Whether the name is inferred from those of other templates. */
  readonly assumed: boolean;
}

const columns: readonly Column<Template>[] = [
  { title: 'NAME', read: ({ name }) => name, shrinks: true },
  { title: 'KIND', read: ({ kind, assumed }) => (assumed ? `${kind}, assumed` : kind), leftOut: 1 },
  { title: 'TEMPLATE', read: ({ template }) => template },
];

/** `aftermeet templates`: the report templates. */
export function addTemplatesCommand(program: Command, context: CommandContext): void {
  program
    .command('templates')
    .summary('list the report templates, built-in and custom')
    .description(
      "Lists the built-in templates and the workspace's own. --template and aftermeet report generate take the " +
        "last column. A name marked as assumed follows the pattern of the others: the service's documents show " +
        'the template without its name.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet templates')
    .action(async ({ json }: { json?: boolean }) => {
      const { items: custom, warnings } = await withService(context, { json }, ({ client, call }) =>
        client.templates.list(call),
      );
      tellWarnings(warnings, context);
      const { templateSlugs } = await import('@aftermeet/contract');
      const templates: readonly Template[] = [
        ...templateSlugs.map(({ slug, name, assumed }) => ({
          template: slug,
          name,
          kind: 'built-in' as const,
          assumed,
        })),
        ...custom.map(({ id, name }) => ({ template: id, name, kind: 'custom' as const, assumed: false })),
      ];
      context.write(
        json === true
          ? formatItems(templates, { total: templates.length, warnings })
          : formatTable(templates, columns, tableView(context)),
      );
    });
}
