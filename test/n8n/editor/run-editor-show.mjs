// The order of what is played in n8n's editor.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { openApi, owner } from '../full/open-api.mjs';
import { openEditor } from './open-editor.mjs';
import { plays } from './plays.mjs';

/** n8n asks its owner for more than our nodes need. */
const withoutQuestions = { N8N_PERSONALIZATION_ENABLED: 'false', N8N_HIRING_BANNER_ENABLED: 'false' };

/** `pictures` is the folder for the pictures; without one none are taken. */
export async function runEditorShow({ world, n8n, folder, report }, pictures) {
  if (!existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium')) {
    process.stdout.write('not played: the editor, for there is no Chromium (set CHROMIUM)\n');
    return;
  }
  const { meetingIds } = world.sandbox.seed({ meetings: 6, languages: ['en'], days: 1 });
  await n8n.start(withoutQuestions);
  const { edit } = await openApi(n8n.url);
  const editor = await openEditor(n8n.url, owner, pictures);
  try {
    const stage = { world, edit, editor, meetingIds, folder };
    for (const { name, play } of plays) {
      await report.play('editor', name, () => keepSight(editor, () => play(stage)));
    }
  } finally {
    await editor.close();
  }
}

/** With N8N_PROOF_LOG, a folder, what was to be seen when a play failed is kept there. */
async function keepSight({ page }, play) {
  try {
    return await play();
  } catch (error) {
    const kept = process.env.N8N_PROOF_LOG;
    if (kept !== undefined) await page.screenshot({ path: join(kept, `failed-${Date.now()}.png`) });
    throw error;
  }
}
