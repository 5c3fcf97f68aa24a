import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { withService } from '../service/with-service.ts';
import { formatJson } from '../terminal/format-json.ts';
import { formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';

/** `aftermeet templates`: what a report can be made from. */
export function addTemplatesCommand(program: Command, context: Context): void {
  program
    .command('templates')
    .summary('list the report templates, built-in and custom')
    .description(
      "Lists the built-in templates and the workspace's own ones. The first column is what --template and " +
        'aftermeet report generate take. A name marked as assumed follows the pattern of the others: the ' +
        "service's documents show the template, but not its name.",
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet templates')
    .action(async ({ json }: { json?: boolean }) => {
      const custom = await withService(context, { json }, ({ client, call }) => client.templates.list(call));
      const { templateSlugs } = await import('@aftermeet/contract');
      const templates = [
        ...templateSlugs.map(({ slug, name, assumed }) => ({
          template: slug,
          name,
          kind: 'built-in',
          assumed,
        })),
        ...custom.map(({ id, name }) => ({ template: id, name, kind: 'custom', assumed: false })),
      ];
      context.write(
        json === true
          ? formatJson(templates)
          : formatTable(
              templates,
              [
                { title: 'TEMPLATE', read: ({ template }) => template },
                { title: 'NAME', read: ({ name }) => name, shrinks: true },
                { title: 'KIND', read: ({ kind, assumed }) => (assumed ? `${kind}, assumed` : kind) },
              ],
              readTableWidth(context),
            ),
      );
    });
}
