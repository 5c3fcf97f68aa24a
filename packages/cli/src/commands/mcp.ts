import type { McpTool } from '@aftermeet/client';
import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.ts';
import { readToolInput } from '../service/read-tool-input.ts';
import { withService } from '../service/with-service.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { type Column, formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';

const columns: readonly Column<McpTool>[] = [
  { title: 'TOOL', read: ({ name }) => name },
  { title: 'WHAT IT DOES', read: ({ description }) => description, shrinks: true },
];

/** `aftermeet mcp`: the service's endpoint for assistants, called by hand. */
export function addMcpCommand(program: Command, context: Context, finish: (code: number) => void): void {
  const mcp = program
    .command('mcp')
    .summary("list and call the tools of the service's MCP endpoint")
    .description(
      'Calls the MCP endpoint of the service, where assistants find meetings and reports. SERVICE_MCP_URL is its ' +
        'address without /mcp, where it is another one than SERVICE_BASE_URL.',
    );
  addToolsCommand(mcp, context);
  addCallCommand(mcp, context, finish);
}

function addToolsCommand(mcp: Command, context: Context): void {
  mcp
    .command('tools')
    .summary('list the tools')
    .description('Lists the tools that the service offers. --json prints the schema of their arguments too.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet mcp tools')
    .action(async ({ json }: { json?: boolean }) => {
      const tools = await withService(context, { json }, ({ client, call }) => client.mcp.listTools(call));
      if (json === true) context.write(formatJson(tools));
      else if (tools.length === 0) context.write('The service offers no tools.\n');
      else context.write(formatTable(tools, columns, readTableWidth(context)));
    });
}

function addCallCommand(mcp: Command, context: Context, finish: (code: number) => void): void {
  mcp
    .command('call')
    .summary('call a tool')
    .description(
      'Calls a tool and prints its text. Arguments are key=text, or key:=JSON for numbers, lists and the like; ' +
        '--input takes all of them as one JSON object. The exit code is 1 when the tool says that it failed.',
    )
    .argument('<tool>', 'the tool, as aftermeet mcp tools lists it')
    .argument('[arguments...]', 'key=text or key:=JSON')
    .option('--input <json>', 'the arguments as a JSON object; - reads what is piped in')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet mcp call search_meetings query="weekly sync" limit:=5\n' +
        '  aftermeet mcp call get_report --input \'{"meeting_id":"m_42"}\'',
    )
    .action(async (tool: string, words: readonly string[], options: { input?: string; json?: boolean }) => {
      const { json } = options;
      const input = await readToolInput(words, options.input, context);
      const { raw: _raw, ...result } = await withService(context, { json }, ({ client, call }) =>
        client.mcp.callTool(tool, input, call),
      );
      finish(result.isError ? EXIT_FAILED : EXIT_OK);
      if (json === true) context.write(formatJson(result));
      else if (result.isError) context.writeError(`The tool failed: ${cleanText(result.text)}\n`);
      else context.write(describeResult(result));
    });
}

function describeResult({
  text,
  structured,
}: {
  readonly text: string;
  readonly structured?: unknown;
}): string {
  if (text !== '') return `${cleanText(text)}\n`;
  return structured === undefined ? 'The tool answered without a text.\n' : formatJson(structured);
}
