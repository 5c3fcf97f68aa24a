// A process of its own that delivers in one way: send.mjs WAY PORT COUNT. Tells how long the last COUNT took, by the
// clock and in CPU; as many before them are not counted, so that the code is warm.
const [way, port, countText] = process.argv.slice(2);
const count = Number(countText);
/** As many as there are connections: both ways have the same. */
const atOnce = 64;

const { start } = await import(`./ways/${way}.mjs`);
let sent = 0;
let ended = 0;
let started;

/** Called whenever a delivery was answered. */
function onEnd() {
  ended += 1;
  if (ended === count) started = { cpu: process.cpuUsage(), ms: performance.now() };
  if (sent < 2 * count) sendNext();
  else if (ended === 2 * count) finish();
}

function sendNext() {
  sent += 1;
  sender.send();
}

function finish() {
  const seconds = (performance.now() - started.ms) / 1000;
  const { user, system } = process.cpuUsage(started.cpu);
  const { maxRSS } = process.resourceUsage();
  // Node counts KiB on every system.
  process.send({
    perSecond: count / seconds,
    cpuMicros: (user + system) / count,
    peakMb: (maxRSS * 1024) / 1e6,
  });
  sender.close();
  process.disconnect();
}

const sender = await start(Number(port), onEnd, atOnce);
while (sent < Math.min(atOnce, 2 * count)) sendNext();
