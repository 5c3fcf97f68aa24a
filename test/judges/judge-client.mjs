import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createAnswerCheck } from './check-answer.mjs';
import { documentPath } from './lint-document.mjs';
import { runScript } from './run-program.mjs';
import { withSandbox } from './with-sandbox.mjs';

const folder = import.meta.dirname;
// Within node_modules: nobody formats, lints or commits what is generated.
const generated = join(folder, 'node_modules/.judges');

/**
 * A client that others generated from the document calls every operation of the sandbox: its types fit the program in
 * client/, and each answer is one that the document describes.
 */
export async function judgeClient() {
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated, { recursive: true });
  const steps = [
    ['openapi-typescript/bin/cli.js', documentPath, '--output', join(generated, 'service.d.ts')],
    ['typescript/bin/tsc', '--project', join(folder, 'client')],
  ];
  for (const [script, ...words] of steps) {
    const { code, output } = await runScript(join(folder, 'node_modules', script), words);
    if (code !== 0) return { passed: false, detail: output };
  }
  const { callEverything } = await import(pathToFileURL(join(generated, 'call-everything.js')).href);
  const document = JSON.parse(await readFile(documentPath, 'utf8'));
  const check = createAnswerCheck(document);
  await withSandbox(({ url, apiKey, sandbox }) =>
    callEverything({
      baseUrl: url,
      apiKey,
      check: check.add,
      complete: (meetingId) => sandbox.completeMeeting(meetingId),
    }),
  );
  const complaints = [
    ...check.complaints(),
    ...check.uncalled().map((operation) => `${operation} was never called`),
  ];
  return { passed: complaints.length === 0, detail: complaints.join('\n') };
}
