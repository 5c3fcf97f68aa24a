// A process of its own that receives files in one way, so that CPU and peak memory are its own:
// serve.mjs WAY FOLDER. Tells its port, and its figures whenever it is asked.
const [way, folder] = process.argv.slice(2);
const { start } = await import(`./servers/${way}.mjs`);
process.on('message', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  // Node counts KiB on every system.
  process.send({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: (maxRSS * 1024) / 1e6 });
});
process.send({ port: Number(await start(folder)) });
