// Every play of an operation, by resource, and the cases beside them. One that is not here is not played. What becomes of an answer
// is shown in test/src/nodes; a play shows what arrives, and an item only where n8n has a part in it.
import * as exports from './export.mjs';
import * as items from './items.mjs';
import * as mcp from './mcp.mjs';
import * as meeting from './meeting.mjs';
import * as polling from './polling.mjs';
import * as proof from './proof.mjs';
import * as recording from './recording.mjs';
import * as report from './report.mjs';
import * as tag from './tag.mjs';
import * as template from './template.mjs';
import * as tooLarge from './too-large.mjs';
import * as transcript from './transcript.mjs';
import * as trigger from './trigger.mjs';
import * as upload from './upload.mjs';

export const operations = [
  recording,
  upload,
  report,
  transcript,
  template,
  exports,
  meeting,
  tag,
  mcp,
].flatMap(({ plays }) => plays);

/** By what stands in the table. */
export const cases = {
  'items and errors': items.cases,
  'report and agent': report.cases,
  trigger: trigger.cases,
  'polling trigger': polling.cases,
  'files that are too large': tooLarge.cases,
  'the proof itself': proof.cases,
};
