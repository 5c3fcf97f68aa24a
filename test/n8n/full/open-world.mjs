// Everything that the workflows talk to: the sandbox of the service, the emulators.
import { createSandbox, createVendorEmulators } from '@aftermeet/sandbox';

import { openBigFileService } from '../big-file-service.mjs';
import { openModel } from './open-model.mjs';

export async function openWorld() {
  const sandbox = createSandbox({ apiKey: 'proof_key' });
  const { url } = await sandbox.listen();
  const vendors = await createVendorEmulators();
  const model = await openModel();
  const bigFiles = await openBigFileService({ bytes: 1024 ** 3 });
  const mailboxes = [vendors.slack, vendors.notion, vendors.mail];
  return {
    sandbox,
    url,
    key: 'proof_key',
    vendors,
    model,
    bigFiles,
    slack: () => vendors.slack.emulator.received(),
    notion: () => vendors.notion.emulator.received(),
    mails: () => vendors.mail.emulator.received(),
    /** What arrived is forgotten, and nothing is disturbed any more. */
    reset() {
      for (const { emulator } of mailboxes) emulator.reset();
      model.requests.length = 0;
      sandbox.faults.clear();
    },
    async close() {
      bigFiles.close();
      await Promise.all([sandbox.close(), vendors.close(), model.close()]);
    },
  };
}
