/** Numbers the faults of one server, across all its plans. */
export interface FaultNumbers {
  /** The next one, from 1. */
  readonly take: () => number;
  /** From 1 again. */
  readonly restart: () => void;
}

export function createFaultNumbers(): FaultNumbers {
  let last = 0;
  return {
    take() {
      last += 1;
      return last;
    },
    restart() {
      last = 0;
    },
  };
}
