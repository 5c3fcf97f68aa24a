// Everything that the workflows talk to: the sandbox of the service, the stand-ins, and an address of one's own.
import { createServer } from 'node:http';

import { createSandbox, createVendorStandIns } from '@aftermeet/sandbox';

import { openBigFileService } from '../big-file-service.mjs';
import { openModel } from './open-model.mjs';

export async function openWorld() {
  const sandbox = createSandbox({ apiKey: 'proof_key' });
  const { url } = await sandbox.listen();
  const vendors = await createVendorStandIns();
  const model = await openModel();
  const bigFiles = await openBigFileService({ bytes: 1024 ** 3 });
  const received = [];
  const own = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, text: Buffer.concat(chunks).toString('utf8') });
      response.end('ok');
    });
  });
  await new Promise((resolve) => own.listen(0, '127.0.0.1', resolve));
  const mailboxes = [vendors.slack, vendors.notion, vendors.mail];
  return {
    sandbox,
    url,
    key: 'proof_key',
    vendors,
    model,
    bigFiles,
    received,
    ownUrl: `http://127.0.0.1:${own.address().port}/in`,
    slack: () => vendors.slack.standIn.received(),
    notion: () => vendors.notion.standIn.received(),
    mails: () => vendors.mail.standIn.received(),
    /** What arrived is forgotten, and nothing is disturbed any more. */
    reset() {
      for (const { standIn } of mailboxes) standIn.reset();
      received.length = 0;
      model.requests.length = 0;
      sandbox.callFaults.clear();
      sandbox.deliveryFaults.clear();
    },
    async close() {
      own.closeAllConnections();
      bigFiles.close();
      await Promise.all([
        sandbox.close(),
        vendors.close(),
        model.close(),
        new Promise((resolve) => own.close(resolve)),
      ]);
    },
  };
}
