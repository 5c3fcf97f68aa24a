import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { usualPorts } from '../dev/ports.ts';
import { parsePort } from '../parse-port.ts';

/** `aftermeet sandbox`: the stand-ins alone, for a receiver and a worker in processes of their own. */
export function addSandboxCommand(program: Command, context: Context): void {
  program
    .command('sandbox')
    .summary('a stand-in of the service, and of Slack, Notion and a mail server')
    .description(
      'A stand-in of the service on port 4010 with the key sandbox_key, its MCP endpoint for assistants at /mcp ' +
        'there, and beside it stand-ins of Slack, Notion and a mail server on the next ports. Nothing is kept: what ' +
        'they hold is gone when they stop.',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--port <number>',
      'port of the service; the others follow it, 0 for any free ones',
      parsePort,
      usualPorts.sandbox,
    )
    .option('--key <key>', 'API key it accepts', 'sandbox_key')
    .option('--json', 'print the addresses as JSON once they listen')
    .addHelpText(
      'after',
      '\nIn another terminal, record a meeting, let it end, and read its report:\n' +
        '  export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key\n' +
        '  aftermeet record https://meet.example.com/a --title "My first meeting"\n' +
        '  curl -X POST $SERVICE_BASE_URL/_sandbox/meetings/<meeting-id>/complete\n' +
        '  aftermeet report get <meeting-id>',
    )
    .action(async (options: { host: string; port: number; key: string; json?: boolean }) => {
      const { runSandbox } = await import('../hosting/run-sandbox.ts');
      await runSandbox(context, { ...options, ...program.opts<{ config?: string }>() });
    });
}
