/** Something to run at a time, Unix milliseconds. */
export interface Plan {
  readonly atMs: number;
  readonly run: () => void;
}

/** Plans, soonest first; of one time, the first planned first. */
export interface PlanList {
  readonly first: () => Plan | undefined;
  readonly takeFirst: () => void;
  readonly add: (plan: Plan) => void;
  /** Forgets it, whether or not its time has come. */
  readonly remove: (plan: Plan) => void;
  readonly clear: () => void;
}

export function createPlanList(): PlanList {
  const plans: Plan[] = [];
  return {
    first: () => plans[0],
    takeFirst() {
      plans.shift();
    },
    add(plan) {
      plans.splice(findPlace(plans, plan.atMs), 0, plan);
    },
    remove(plan) {
      const place = plans.indexOf(plan);
      if (place !== -1) plans.splice(place, 1);
    },
    clear() {
      plans.length = 0;
    },
  };
}

/** Behind everything that is due at this time or sooner. */
function findPlace(plans: readonly Plan[], atMs: number): number {
  let low = 0;
  let high = plans.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((plans[middle]?.atMs ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
