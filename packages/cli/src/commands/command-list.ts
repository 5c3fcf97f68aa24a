import type { AddCommand } from '../add-command.ts';
import { addCompletionCommand } from './completion.ts';
import { addDeliveriesCommand } from './deliveries.ts';
import { addDevCommand } from './dev.ts';
import { addDoctorCommand } from './doctor.ts';
import { addDraftsCommand } from './drafts.ts';
import { addEffectsCommand } from './effects.ts';
import { addCancelCommand, addStopCommand } from './end-recording.ts';
import { addExportCommand } from './export.ts';
import { addMcpCommand } from './mcp.ts';
import { addReceiverCommand } from './receiver.ts';
import { addRecipesCommand } from './recipes.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addRecordCommand } from './record.ts';
import { addReportCommand } from './report.ts';
import { addSandboxCommand } from './sandbox/sandbox.ts';
import { addSearchCommand } from './search.ts';
import { addSendCommand } from './send.ts';
import { addStatusCommand } from './status.ts';
import { addTagsCommand } from './tags.ts';
import { addTemplatesCommand } from './templates.ts';
import { addUploadCommand } from './upload.ts';
import { addWorkerCommand } from './worker.ts';

/** Every command, under the heading and in the order of `aftermeet --help`. */
export const commandGroups: readonly {
  readonly heading: string;
  readonly commands: readonly AddCommand[];
}[] = [
  { heading: 'Start here:', commands: [addDevCommand, addSandboxCommand] },
  {
    heading: 'Recordings and reports:',
    commands: [
      addRecordCommand,
      addStatusCommand,
      addStopCommand,
      addCancelCommand,
      addUploadCommand,
      addReportCommand,
      addTemplatesCommand,
      addExportCommand,
      addSearchCommand,
      addTagsCommand,
      addMcpCommand,
    ],
  },
  {
    heading: 'Hosting:',
    commands: [addReceiverCommand, addWorkerCommand, addSendCommand, addRecipesCommand, addDoctorCommand],
  },
  {
    heading: 'What arrived and what it caused:',
    commands: [addDeliveriesCommand, addEffectsCommand, addDraftsCommand, addReconcileCommand],
  },
  { heading: 'The command itself:', commands: [addCompletionCommand] },
];
