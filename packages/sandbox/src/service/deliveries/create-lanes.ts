/** Lets so many jobs of one name run at once; the others wait, first come, first served. */
export interface Lanes {
  /** Runs the job at once or when there is room; it must call `leave` once, when it has ended. */
  readonly enter: (name: string, job: Job) => void;
  /** Forgets the jobs that wait, and those that run. */
  readonly clear: () => void;
}

type Job = (leave: () => void) => void;

interface Lane {
  running: number;
  readonly waiting: Job[];
  /** Of the next one in `waiting`. */
  next: number;
  isFilling: boolean;
}

export function createLanes(limit: number): Lanes {
  let lanes = new Map<string, Lane>();

  /** A job may leave before it returns: then the loop that runs already goes on, so that no stack grows. */
  function fill(name: string, lane: Lane): void {
    if (lane.isFilling) return;
    lane.isFilling = true;
    while (lane.running < limit) {
      const job = takeNext(lane);
      if (job === undefined) break;
      lane.running += 1;
      job(() => {
        lane.running -= 1;
        fill(name, lane);
      });
    }
    lane.isFilling = false;
    if (lane.running === 0 && lanes.get(name) === lane) lanes.delete(name);
  }

  return {
    enter(name, job) {
      const lane = lanes.get(name) ?? { running: 0, waiting: [], next: 0, isFilling: false };
      lanes.set(name, lane);
      lane.waiting.push(job);
      fill(name, lane);
    },
    clear() {
      for (const lane of lanes.values()) lane.waiting.length = 0;
      lanes = new Map();
    },
  };
}

/** Taking the first out of the list itself would move all others, every time. */
function takeNext(lane: Lane): Job | undefined {
  const job = lane.waiting[lane.next];
  lane.next += 1;
  if (lane.next >= lane.waiting.length || lane.next >= 1000) {
    lane.waiting.splice(0, lane.next);
    lane.next = 0;
  }
  return job;
}
