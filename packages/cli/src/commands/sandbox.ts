import { createSandbox, createVendorStandIns } from '@aftermeet/sandbox';
import type { Command } from 'commander';

import { announce } from '../announce.ts';
import { type Context, loadSettings } from '../context.ts';
import { usualPorts } from '../dev/ports.ts';
import { listenOn } from '../listen-on.ts';
import { parsePort } from '../parse-port.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';

const STOP_WITHIN_MS = 10_000;

/** `aftermeet sandbox`: the stand-ins alone, for a receiver and a worker in processes of their own. */
export function addSandboxCommand(program: Command, context: Context): void {
  program
    .command('sandbox')
    .summary('a stand-in of the service, and of Slack, Notion and a mail server')
    .description(
      'A stand-in of the service on port 4010 with the key sandbox_key, and beside it stand-ins of Slack, Notion ' +
        'and a mail server on the next ports. Nothing is kept: what they hold is gone when they stop.',
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
      '\nRecord a meeting and let it end:\n' +
        '  curl -s localhost:4010/api/record-meeting -H "X-API-KEY: sandbox_key" -H "Content-Type: application/json" \\\n' +
        '    -d \'{"link":"https://meet.example.com/a","webhook_url":"http://127.0.0.1:8080/hooks/default","webhook_secret":"…"}\'\n' +
        '  curl -s -X POST localhost:4010/_sandbox/meetings/<meeting_id>/complete',
    )
    .action(async (options: { host: string; port: number; key: string; json?: boolean }) => {
      const settings = await loadSettings(context, program.opts<{ config?: string }>().config);
      const { host, port } = options;
      const next = (offset: number): number => (port === 0 ? 0 : port + offset);
      const stop = armStopSignal(STOP_WITHIN_MS);
      await useParts(async (keep) => {
        const sandbox = keep(createSandbox({ apiKey: options.key, headerPrefix: settings.headerPrefix }));
        const { url } = await listenOn((wanted) => sandbox.listen({ host, port: wanted }), port);
        const vendors = keep(
          await createVendorStandIns({
            host,
            ports: { slack: next(1), notion: next(2), mail: next(3), mailPage: next(4) },
          }),
        );
        announce(context, options.json === true, {
          SERVICE_BASE_URL: url,
          SERVICE_API_KEY: options.key,
          SLACK_API_URL: vendors.slack.apiUrl,
          NOTION_BASE_URL: vendors.notion.url,
          NOTION_DATA_SOURCE_ID: vendors.notion.dataSourceId,
          SMTP_URL: vendors.mail.url,
          pages: [`${url}/_sandbox`, vendors.slack.url, vendors.notion.url, vendors.mail.pageUrl].join(' '),
        });
        await stop.wait();
      });
    });
}
