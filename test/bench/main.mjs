// Runs the benchmarks that are named, or all: main.mjs [NAME …] [--json] [--quick]. `receiver` and `effects` name several.
// Each is an exported function of its file, and resolves with figures (for --json, an object by name) and the lines for a
// person. `--quick` shows that they still run: one round of small sizes, whose figures mean nothing.
const files = {
  start: 'start.mjs',
  upload: 'upload.mjs',
  render: 'render.mjs',
  verify: 'receiver.mjs',
  accept: 'receiver.mjs',
  burst: 'burst.mjs',
  floods: 'floods.mjs',
  timing: 'timing.mjs',
  latency: 'effects.mjs',
  overhead: 'effects.mjs',
  slack: 'effects.mjs',
  neighbours: 'effects.mjs',
};
const groups = {
  receiver: ['verify', 'accept', 'burst', 'floods', 'timing'],
  effects: ['latency', 'overhead', 'slack', 'neighbours'],
};

const flags = new Set(['--json', '--quick']);
const words = process.argv.slice(2).filter((word) => !flags.has(word));
const names = words.flatMap((word) => groups[word] ?? [word]);
const asJson = process.argv.includes('--json');
const isQuick = process.argv.includes('--quick');
const unknown = names.filter((name) => !Object.hasOwn(files, name));
if (unknown.length > 0) {
  const known = [...Object.keys(files), ...Object.keys(groups)].join(', ');
  process.stderr.write(`No benchmark ${unknown.join(', ')}: there are ${known}.\n`);
  process.exit(2);
}

if (isQuick)
  process.stderr.write('quick: the benchmarks run, but on small sizes; their figures mean nothing\n');
const figures = {};
for (const name of names.length > 0 ? names : Object.keys(files)) {
  const { [name]: run } = await import(`./${files[name]}`);
  const result = await run({ isQuick });
  figures[name] = result.figures;
  if (!asJson) process.stdout.write(`${result.lines.join('\n')}\n`);
}
if (asJson) process.stdout.write(`${JSON.stringify(figures)}\n`);
