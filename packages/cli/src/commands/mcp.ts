import type { McpProgress, McpTool } from '@aftermeet/client';
import type { Command } from 'commander';

import { type CommandContext, type Context, tableView } from '../context.ts';
import { EXIT_FAILED, EXIT_OK, WrongUse } from '../errors.ts';
import { parseDuration } from '../options.ts';
import { readPipedText } from '../service/input.ts';
import { tellWarnings } from '../service/warnings.ts';
import { withService } from '../service/with-service.ts';
import { type Column, formatItems, formatJson, formatTable } from '../terminal/format.ts';
import { cleanText } from '../terminal/text.ts';

type ToolInput = Readonly<Record<string, unknown>>;

const columns: readonly Column<McpTool>[] = [
  { title: 'TOOL', read: ({ name }) => name },
  { title: 'WHAT IT DOES', read: ({ description }) => description, shrinks: true },
];

/** `aftermeet mcp`: calls the service's MCP endpoint. */
export function addMcpCommand(program: Command, context: CommandContext): void {
  const mcp = program
    .command('mcp')
    .summary("list and call the tools of the service's MCP endpoint")
    .description(
      'Calls the MCP endpoint of the service, where assistants find meetings and reports. SERVICE_MCP_URL is its ' +
        'address without /mcp, if it differs from SERVICE_BASE_URL; aftermeet login --mcp-url stores it.',
    );
  addToolsCommand(mcp, context);
  addCallCommand(mcp, context);
}

function addToolsCommand(mcp: Command, context: CommandContext): void {
  mcp
    .command('tools')
    .summary('list the tools')
    .description("Lists the service's tools. --json also prints the schemas of their arguments.")
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet mcp tools')
    .action(async ({ json }: { json?: boolean }) => {
      const { items: tools, warnings } = await withService(context, { json }, ({ client, call }) =>
        client.mcp.listTools(call),
      );
      tellWarnings(warnings, context);
      if (json === true) context.write(formatItems(tools, { total: tools.length, warnings }));
      else if (tools.length === 0) context.write('The service offers no tools.\n');
      else context.write(formatTable(tools, columns, tableView(context)));
    });
}

function addCallCommand(mcp: Command, context: CommandContext): void {
  mcp
    .command('call')
    .summary('call a tool')
    .description(
      'Calls a tool and prints its text. Arguments are key=text, or key:=JSON for numbers, lists and other types; ' +
        '--input takes all of them as one JSON object. The exit code is 1 if the tool reports an error.',
    )
    .argument('<tool>', 'tool, as aftermeet mcp tools lists it')
    .argument('[arguments...]', 'key=text or key:=JSON')
    .option('--input <json>', 'arguments as a JSON object; - reads piped input')
    .option(
      '--timeout <duration>',
      'how long the tool may take without reporting progress; default 30s',
      parseDuration,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet mcp call search_meetings query="weekly sync" limit:=5\n' +
        '  aftermeet mcp call get_report --input \'{"meeting_id":"m_42"}\'',
    )
    .action(async (tool: string, words: readonly string[], options: CallOptions) => {
      const { json, timeout } = options;
      const input = await readToolInput(words, options.input, context);
      const { raw: _raw, ...result } = await withService(context, { json }, ({ client, call, progress }) => {
        progress.show({ kind: 'wait', label: tool });
        return client.mcp.callTool(tool, input, {
          ...call,
          ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
          onProgress: (now) => progress.show({ kind: 'wait', label: describeProgress(tool, now) }),
        });
      });
      context.finish(result.isError ? EXIT_FAILED : EXIT_OK);
      if (json === true) context.write(formatJson(result));
      else if (result.isError) context.writeError(`The tool failed: ${cleanText(result.text)}\n`);
      // JSON in a text is read by programs as well.
      else if (/^\s*[[{]/.test(result.text)) context.writeData(`${cleanText(result.text)}\n`);
      else if (result.text !== '') context.write(`${cleanText(result.text)}\n`);
      else if (result.structured === undefined) context.write('The tool answered without text.\n');
      else context.writeData(formatJson(result.structured));
    });
}

interface CallOptions {
  readonly input?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly json?: boolean;
}

function describeProgress(tool: string, { done, total, message }: McpProgress): string {
  const amount = total === undefined ? String(done) : `${done} of ${total}`;
  return `${tool}: ${message === undefined ? amount : `${message} (${amount})`}`;
}

/** The arguments of a tool: a JSON object, extended by `key=text` and `key:=JSON`. Throws `WrongUse`. */
export async function readToolInput(
  words: readonly string[],
  json: string | undefined,
  context: Context,
): Promise<ToolInput> {
  const text =
    json === '-' ? await readPipedText(context, 'Give --input a JSON object, or pipe one in.') : json;
  return {
    ...(text === undefined ? {} : parseObject(text)),
    ...Object.fromEntries(words.map((word) => parseArgument(word))),
  };
}

function parseObject(text: string): ToolInput {
  const value = parseJson(text, '--input');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new WrongUse('--input: expected a JSON object, such as {"meeting_id":"m_42"}.\n');
}

function parseArgument(word: string): readonly [name: string, value: unknown] {
  const match = /^([^=:]+)(:?=)([\s\S]*)$/.exec(word);
  if (match === null) {
    throw new WrongUse(
      'An argument of a tool is key=text or key:=JSON, such as meeting_id=m_42 or limit:=5.\n',
    );
  }
  const [, name = '', sign, text = ''] = match;
  return [name, sign === '=' ? text : parseJson(text, JSON.stringify(name))];
}

function parseJson(text: string, what: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // The parser's own message quotes the text.
    throw new WrongUse(`${what}: this is not JSON. A shell needs '…' around it.\n`);
  }
}
