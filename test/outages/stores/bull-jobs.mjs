const PAGE = 1000;
const STATES = ['waiting', 'active', 'delayed', 'completed', 'failed', 'paused', 'prioritized'];

/**
 * Every job of a queue, with the body that it carries, read by BullMQ's own Queue. Nobody may write meanwhile: pages
 * are counted from one end.
 */
export async function readBodies(queue) {
  const counts = await queue.getJobCounts(...STATES);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const bodies = [];
  for (let from = 0; from < total; from += PAGE) {
    const jobs = await queue.getJobs(STATES, from, from + PAGE - 1, true);
    for (const job of jobs) bodies.push(readBody(job.data));
  }
  return { total, bodies };
}

/** What PostgreSQL can't hold in `jsonb` is stored as JSON text. */
function readBody(data) {
  return typeof data.json === 'string' ? JSON.parse(data.json).body : data.body;
}
