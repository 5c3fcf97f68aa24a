// Welch's t-test between every two classes of times, after the slowest are cut off at one bound for all of them: what a
// machine does beside the work makes the slow ones, and would hide a difference (the pre-processing of dudect).

const crops = [1, 0.99, 0.95, 0.9, 0.75, 0.5];

/** `times` has a list of nanoseconds for each name. `pairs` have one t for each part of the times that is kept. */
export function compareClasses(names, times) {
  const all = Float64Array.from(times.flatMap((list) => list)).toSorted();
  const bounds = crops.map((part) => all[Math.ceil(all.length * part) - 1]);
  const kept = bounds.map((bound) => times.map((list) => describe(list, bound)));
  const pairs = [];
  for (let one = 0; one < names.length; one += 1) {
    for (let other = one + 1; other < names.length; other += 1) {
      pairs.push({
        names: [names[one], names[other]],
        t: kept.map((classes) => welch(classes[one], classes[other])),
      });
    }
  }
  const fastest = kept[crops.indexOf(0.9)];
  return {
    crops,
    classes: names.map((name, index) => ({ name, count: times[index].length, meanNs: fastest[index].mean })),
    pairs,
    largestT: Math.max(...pairs.flatMap(({ t }) => t.map(Math.abs))),
  };
}

function describe(list, bound) {
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const value of list) {
    if (value > bound) continue;
    count += 1;
    const difference = value - mean;
    mean += difference / count;
    squares += difference * (value - mean);
  }
  return { count, mean, variance: squares / (count - 1) };
}

function welch(one, other) {
  const error = Math.sqrt(one.variance / one.count + other.variance / other.count);
  return error === 0 ? 0 : (one.mean - other.mean) / error;
}
