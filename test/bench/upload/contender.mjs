// A process of its own that moves one file in one way, so that CPU and peak memory are its own:
// contender.mjs WAY HTTP_PORT TCP_PORT PATH WORKPLACE. CPU counts from when the modules are loaded.
const [way, webPort, rawPort, path, workplace] = process.argv.slice(2);
const { prepare } = await import(`./ways/${way}.mjs`);
const move = await prepare({
  baseUrl: `http://127.0.0.1:${webPort}`,
  rawPort: Number(rawPort),
  path,
  workplace,
});

const before = process.resourceUsage();
const startedMs = performance.now();
await move();
const after = process.resourceUsage();
const cpu = (usage) => (usage.userCPUTime + usage.systemCPUTime) / 1e6;
console.log(
  JSON.stringify({
    cpuSeconds: cpu(after) - cpu(before),
    seconds: (performance.now() - startedMs) / 1000,
    // Node counts KiB on every system.
    peakMb: (after.maxRSS * 1024) / 1e6,
  }),
);
