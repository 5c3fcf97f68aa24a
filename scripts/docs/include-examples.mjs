// Puts regions of files that run into pages: behind a comment `example: PATH REGION` stands what is in that file between
// `#region REGION` and `#endregion`, as a block of code.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const languages = { '.mjs': 'js', '.js': 'js', '.ts': 'ts', '.yaml': 'yaml' };

const mark = /^<!-- example: (\S+) (\S+) -->\n(?:\n```[\s\S]*?\n```\n)?/gm;

/** The page with the regions as they are now. Throws for a file or region that is not there. */
export function includeExamples(page, root) {
  return page.replaceAll(mark, (_whole, path, region) => {
    const code = cutRegion(readFileSync(join(root, path), 'utf8'), region);
    if (code === undefined) throw new Error(`${path} has no region ${region}`);
    return `<!-- example: ${path} ${region} -->\n\n\`\`\`${languages[extname(path)] ?? ''}\n${code}\n\`\`\`\n`;
  });
}

function cutRegion(text, name) {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\s*(?://|#) ?#?region ${name}$`).test(line));
  const length = lines.slice(start + 1).findIndex((line) => /^\s*(?:\/\/|#) ?#?endregion$/.test(line));
  return start === -1 || length === -1 ? undefined : lines.slice(start + 1, start + 1 + length).join('\n');
}
