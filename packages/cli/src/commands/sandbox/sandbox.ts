import type { Command } from 'commander';

import { collectList } from '../../collect-list.ts';
import type { Context } from '../../context.ts';
import { usualPorts } from '../../dev/ports.ts';
import type { SandboxCommandOptions } from '../../hosting/run-sandbox.ts';
import { parsePort } from '../../parse-port.ts';
import { parseWhole } from '../../parse-whole.ts';
import { addAccountCommands } from './account.ts';
import { addDeliveryCommands } from './deliveries.ts';
import { addFaultCommands } from './faults.ts';
import { addKnobCommand, collectKnobs } from './knobs.ts';
import { addMeetingCommands } from './meetings.ts';
import { parseTimeScale } from './parse-time-scale.ts';
import { parseTransitions } from './parse-transitions.ts';
import { addWorldCommands } from './world.ts';

/** `aftermeet sandbox`: the stand-ins alone, for a receiver and a worker in processes of their own; and what steers them. */
export function addSandboxCommand(program: Command, context: Context): void {
  const sandbox = program
    .command('sandbox')
    .summary('a stand-in of the service, and of Slack, Notion and a mail server')
    .description(
      'A stand-in of the service on port 4010 with the key sandbox_key, its MCP endpoint for assistants at /mcp ' +
        'there, and beside it stand-ins of Slack, Notion and a mail server on the next ports. What they hold is gone ' +
        'when they stop; --data keeps what the service holds. The commands below steer one that runs.',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--port <number>',
      'port of the service; the others follow it, 0 for any free ones',
      parsePort,
      usualPorts.sandbox,
    )
    .option(
      '--key <key>',
      'API key that it accepts, also where --data keeps another; default the one that is kept, or else sandbox_key',
    )
    .option(
      '--data <folder>',
      'keep everything but faults there: meetings, tags, uploads, deliveries, knobs, time, plan and key',
    )
    .option(
      '--transitions <how>',
      'how meetings move on: by the clock, immediate, manual, or polls:3 (one state every 3 questions)',
      parseTransitions,
      'clock',
    )
    .option(
      '--time-scale <number>',
      'seconds of the sandbox in one second; default what --data keeps, or else 1',
      parseTimeScale,
    )
    .option(
      '--seed <number>',
      'the same ids and the same chances at every start',
      parseWhole('a number', 0, 999_999_999),
    )
    .option('--no-resign', 'retries of a delivery keep the first signature')
    .option('--allow-remote', 'webhooks may leave this machine')
    .option('--allow-host <name>', 'another host name it is reached by; may be repeated', collectList)
    .option('--public-url <address>', 'what report_url begins with; default its own address')
    .option('--knob <name=value>', 'see aftermeet sandbox knobs; may be repeated', collectKnobs)
    .option('--json', 'print the addresses as JSON once they listen')
    .addHelpText(
      'after',
      '\nIn another terminal, record a meeting, let it end, and read its report:\n' +
        '  export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key\n' +
        '  aftermeet record https://meet.example.com/a --title "My first meeting"\n' +
        '  aftermeet sandbox complete <meeting-id>\n' +
        '  aftermeet report get <meeting-id>',
    )
    .action(async (options: SandboxCommandOptions) => {
      const { runSandbox } = await import('../../hosting/run-sandbox.ts');
      await runSandbox(context, { ...options, ...program.opts<{ config?: string }>() });
    });
  addMeetingCommands(sandbox, context);
  addDeliveryCommands(sandbox, context);
  addFaultCommands(sandbox, context);
  addWorldCommands(sandbox, context);
  addKnobCommand(sandbox, context);
  addAccountCommands(sandbox, context);
}
