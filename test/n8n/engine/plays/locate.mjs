/** The value of a resource locator, by its id. */
export function byId(value) {
  return { __rl: true, mode: 'id', value };
}

/** As it stands after somebody picked an entry of the list. */
export function fromList(value) {
  return { __rl: true, mode: 'list', value, cachedResultName: 'An entry' };
}

/** Meetings that are processed: their ids. */
export function seedMeetings(sandbox, meetings = 2) {
  return sandbox.seed({ meetings, languages: ['en'], days: 1 }).meetingIds;
}

/** All of an async iterable. */
export async function collect(iterable) {
  const all = [];
  for await (const one of iterable) all.push(one);
  return all;
}
