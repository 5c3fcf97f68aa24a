import { createRandom } from '../random.mjs';
import { TEAMS } from './installation.mjs';

const killGapMs = { least: 400, most: 1200 };

/** Without kills there is nothing to spread the meetings over. */
const MIN_MS = 5000;

/** The last kills must find work too. */
const ARRIVE_WITHIN = 0.9;

/**
 * Everything that a seed decides: when which meeting's event comes, what the service answers for it, which worker is
 * killed when, when the store is killed and how long it is away. The same seed makes the same schedule; what a
 * kill finds under way is chance. Times are milliseconds since the beginning, `startedAtMs` since 1970.
 */
export function makeSchedule({
  seed,
  meetings,
  kills,
  restarts,
  workers,
  freezes,
  freezeMs,
  hasClocks,
  startedAtMs,
}) {
  const random = createRandom(seed);
  const drawSlot = () => random.between(0, workers - 1);
  let nowMs = 0;
  const killings = Array.from({ length: kills }, () => {
    nowMs += random.between(killGapMs.least, killGapMs.most);
    return { atMs: nowMs, slot: drawSlot() };
  });
  const lastsMs = Math.max(nowMs, MIN_MS);
  // One in each part of the time, so that the store is not away twice at once.
  const restartings = Array.from({ length: restarts }, (_, index) => ({
    atMs: Math.round((lastsMs * (index + 0.2 + 0.5 * random.next())) / restarts),
    awayMs: random.between(0, 1500),
  }));
  const freezings = Array.from({ length: freezes }, (_, index) => ({
    atMs: Math.round((lastsMs * (index + random.next())) / freezes),
    lastsMs: freezeMs,
    slot: drawSlot(),
  }));
  const arrivals = Array.from({ length: meetings }, () => random.next() * lastsMs * ARRIVE_WITHIN);
  const spellMs = Math.round(lastsMs * 0.3);
  return {
    seed,
    lastsMs,
    strikes: {
      kills: killings,
      restarts: restartings,
      freezes: freezings,
      clockSteps: hasClocks ? planClocks(workers, lastsMs) : [],
    },
    meetings: arrivals
      .toSorted((one, other) => one - other)
      .map((atMs, index) => describeMeeting({ index, atMs, startedAtMs }, random)),
    /** The service refuses the key for this long. */
    keyRefused: { fromMs: spellMs, untilMs: spellMs + 1500 },
  };
}

const HOUR_S = 3600;

/**
 * How far the clocks of workers are off, in seconds and when: the first worker is right, the others are 15 minutes fast, an
 * hour fast, or set while they run.
 */
function planClocks(workers, lastsMs) {
  const steps = [HOUR_S, 0, -HOUR_S, 0];
  const wrong = [
    [{ atMs: 0, aheadS: HOUR_S / 4 }],
    [{ atMs: 0, aheadS: HOUR_S }],
    steps.map((aheadS, index) => ({ atMs: Math.round((lastsMs * (index + 1)) / 5), aheadS })),
  ];
  return Array.from({ length: workers - 1 }, (_, index) =>
    wrong[index % wrong.length].map((step) => ({ ...step, slot: index + 1 })),
  ).flat();
}

/** `service` is what the service answers before the report, one after the other. */
function describeMeeting({ index, atMs, startedAtMs }, random) {
  const service = [];
  const one = random.next();
  if (one < 0.06) service.push(202);
  else if (one < 0.08) service.push(202, 202);
  else if (one < 0.11) service.push(429);
  else if (one < 0.14) service.push(500);
  return {
    id: `crash-${index + 1}`,
    number: index + 1,
    team: index % TEAMS,
    atMs: Math.round(atMs),
    // The event's own time: part of the key of its effects.
    occurrence: new Date(startedAtMs + atMs).toISOString(),
    service,
  };
}
