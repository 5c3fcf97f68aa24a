import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the packages that a bundle contains, by its modules: whoever passes their code on has to pass these on. */
export function writeNotices(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => findPackage(id) ?? []));
  const notices = [...folders].map((folder) => readNotice(folder));
  const texts = [...new Set(notices)].toSorted();
  return `The aftermeet command contains code of these packages.\n\n${texts.join('\n\n')}\n`;
}

/** The folder of the installed package that a module is of; undefined for our own. */
function findPackage(id) {
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '');
  const end = path.lastIndexOf('/node_modules/');
  if (end < 0) return undefined;
  const [first, second] = path.slice(end + '/node_modules/'.length).split('/');
  return join(path.slice(0, end), 'node_modules', first, first.startsWith('@') ? second : '');
}

function readNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file));
  if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`## ${name} ${version} (${license})`, ...texts].join('\n\n');
}
