import { readFileSync } from 'node:fs';

/** What of the run itself was not as it should be, in sentences: a run that was harmless proves nothing. */
export function judgeRun({ plan, strikes, workers, exitCodes, openJobs, faults, figures }) {
  const violations = [];
  const expect = (isSo, sentence) => {
    if (!isSo) violations.push(sentence);
  };
  const { kills, restarts } = strikes.counts;
  expect(kills === plan.killings.length, `${kills} of ${plan.killings.length} workers were killed`);
  expect(restarts === plan.restartings.length, `the store was restarted ${restarts} times only`);
  expect(openJobs === 0, `${openJobs} jobs had not ended when the time was over`);

  const unexcused = workers.endedByThemselves.filter(({ atMs }) => !strikes.isAway(atMs));
  const codes = unexcused.map(({ code }) => code).join(', ');
  const words = unexcused.length === 0 ? '' : readFileSync(workers.logFile, 'utf8').slice(-1500);
  expect(unexcused.length === 0, `${unexcused.length} workers ended by themselves (${codes}): ${words}`);
  const wrong = exitCodes.filter((code) => code !== 0);
  expect(wrong.length === 0, `workers that were told to stop ended with ${wrong.join(', ')}`);

  for (const [destination, kinds] of Object.entries(faults)) {
    const happened = Object.values(kinds).reduce((sum, count) => sum + count, 0);
    expect(happened > 0 || figures.effects < 300, `${destination} made no trouble: the faults did not bite`);
  }
  if (figures.probes !== undefined && kills >= 10) {
    expect(figures.probes > 0, 'no effect was ever open: the kills did not bite');
  }
  return violations;
}
