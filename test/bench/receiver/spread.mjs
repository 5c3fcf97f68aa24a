import { median } from '../median.mjs';

/** The median of some rounds with the least and the most of them: the noise that was seen. */
export function spread(values, digits = 1) {
  const keep = (value) => Number(value.toFixed(digits));
  return { median: keep(median(values)), least: keep(Math.min(...values)), most: keep(Math.max(...values)) };
}

/** Of each round by itself: what loads the machine loads all of a round. */
export function ratioOf(results, name, other, key, digits = 2) {
  const others = results.get(other);
  return spread(
    results.get(name).map((result, index) => result[key] / others[index][key]),
    digits,
  );
}

/** `12.3 (11.9..14.0)`, in a column. */
export function formatSpread({ median: middle, least, most }, digits = 1) {
  return `${middle.toFixed(digits).padStart(7)} ${`(${least.toFixed(digits)}..${most.toFixed(digits)})`.padEnd(16)}`;
}
