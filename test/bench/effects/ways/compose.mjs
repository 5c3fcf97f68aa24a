// What an effect's message costs by itself, without queue and ledger: digest, rendering, and the hash of its content.
import { createHash } from 'node:crypto';

import { renderSlackRecap } from '../../../../recipes/dist/destinations/slack/render-recap.js';
import { buildDigest } from '../../../../recipes/dist/report/digest.js';
import { writeReport } from '../samples.mjs';

export function start({ total, namespace }, tell) {
  tell.onBegin();
  for (let index = 0; index < total; index += 1) {
    const [rendered] = renderSlackRecap(buildDigest(writeReport(`m_${namespace}_${index}`)));
    createHash('sha256').update(JSON.stringify(rendered)).digest('hex');
    tell.onSent(index);
  }
  return { close: () => {} };
}
