// Reads names of folders from its input; the end of the input is the end of the suite, and then they are cleaned.
import { createInterface } from 'node:readline';

import { cleanFolder } from './processes.mjs';

const folders = [];
for await (const folder of createInterface({ input: process.stdin })) folders.push(folder);
for (const folder of folders) cleanFolder(folder);
