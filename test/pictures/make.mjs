// `npm run pictures [-- NAME …]`: writes docs/pictures/*.png, each recipe's output as its reader sees it. Needs Chromium
// (`CHROMIUM`, or `chromium` in the path). Look at them before they are kept.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeReady, root } from '../../scripts/make-ready.mjs';

makeReady();
// Only now: in a fresh clone there is nothing to import before.
const [{ openBrowser }, { shrinkPng }, { openStage }, { pictures }] = await Promise.all(
  ['./browser.mjs', './shrink-png.mjs', './stage.mjs', './pictures.mjs'].map((name) => import(name)),
);

const mostBytes = 120_000;
const folder = join(root, 'docs', 'pictures');
mkdirSync(folder, { recursive: true });
const wanted = new Set(process.argv.slice(2));
const unknown = [...wanted].filter((name) => !pictures.some((picture) => picture.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No picture ${unknown.join(', ')}: there are ${pictures.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}

const browser = await openBrowser();
const stage = await openStage();
try {
  for (const { name, prepare } of pictures) {
    if (wanted.size > 0 && !wanted.has(name)) continue;
    stage.clear();
    const png = await takeSmall(await prepare(stage));
    writeFileSync(join(folder, `${name}.png`), png);
    process.stderr.write(`wrote docs/pictures/${name}.png (${Math.round(png.length / 1000)} kB)\n`);
  }
} finally {
  await stage.close();
  await browser.close();
}

/** As sharp as its size allows. */
async function takeSmall(picture) {
  for (const scale of [2, 1.5, 1.25, 1]) {
    const png = shrinkPng(await browser.shoot({ ...picture, scale }));
    if (png.length <= mostBytes) return png;
  }
  throw new Error(`a picture of more than ${mostBytes} bytes`);
}
