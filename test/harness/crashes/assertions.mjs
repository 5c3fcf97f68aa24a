import { readFileSync } from 'node:fs';

import { openLedger } from '../../../recipes/dist/engine/store/open-stores.js';

/** Destinations that can be searched must have each effect once. A mail server can't be searched. */
const traceable = ['slack', 'reply', 'notion'];

/**
 * Compares what arrived with what had to, and with what the ledger says. `violations` are sentences that name
 * the meetings; `notes` what a person should know but is as it should be.
 */
export function checkEffects({ effects, arrived, ledger }) {
  const figures = {
    effects: effects.length,
    arrived: 0,
    missing: 0,
    doubled: 0,
    resentMails: 0,
    unexpected: 0,
    longestMs: 0,
  };
  const findings = createFindings();
  const { rows } = ledger ?? {};
  const tell = (effect) => describeEffect(effect, rows);

  for (const destination of Object.keys(arrived)) {
    const wanted = effects.filter((effect) => effect.destination === destination);
    const byMeeting = groupBy(arrived[destination], ({ meeting }) => meeting);
    for (const effect of wanted) {
      const copies = byMeeting.get(effect.meeting.number) ?? [];
      byMeeting.delete(effect.meeting.number);
      if (copies.length === 0) {
        figures.missing += 1;
        findings.violation(`never arrived at ${destination}`, tell(effect));
        continue;
      }
      figures.arrived += 1;
      if (destination === 'slack')
        figures.longestMs = Math.max(figures.longestMs, timeWay(effect, copies[0]));
      const ids = new Set(copies.map(({ key }) => key));
      if (copies.length > 1 && (traceable.includes(destination) || ids.size > 1)) {
        figures.doubled += copies.length - 1;
        findings.violation(`more than once at ${destination}`, `${copies.length} × ${tell(effect)}`);
      } else figures.resentMails += copies.length - 1;
      const strange = copies.find(({ key, target }) => key !== effect.key || target !== effect.target);
      if (strange !== undefined) {
        findings.violation(`under a wrong key or at a wrong place at ${destination}`, tell(effect));
      }
      checkReference(effect, copies, rows, findings);
    }
    for (const [meeting, copies] of byMeeting) {
      figures.unexpected += copies.length;
      findings.violation(`unexpected at ${destination}`, `meeting ${meeting}`);
    }
  }
  if (ledger !== undefined) Object.assign(figures, checkRows(effects, ledger, findings));
  return { figures, ...findings.finish() };
}

/** From the event to the message, whose reference ends with its time in seconds. */
function timeWay({ meeting }, { reference }) {
  return Number(reference.slice(reference.indexOf('/') + 1)) * 1000 - Date.parse(meeting.occurrence);
}

/** What the ledger calls sent must be there. */
function checkReference(effect, copies, rows, findings) {
  const row = rows?.get(effect.key);
  if (row?.state !== 'sent' || row.reference === undefined) return;
  if (!copies.some(({ reference }) => reference === row.reference)) {
    findings.violation(
      `the ledger's reference is none that ${effect.destination} has`,
      describeEffect(effect, rows),
    );
  }
}

function checkRows(effects, { rows, total }, findings) {
  const figures = { sent: 0, parkedMails: 0, failed: 0, unsettled: 0, tries: 0, retried: 0, probes: 0 };
  for (const effect of effects) {
    const row = rows.get(effect.key);
    figures.tries += row?.attempts ?? 0;
    if ((row?.attempts ?? 0) > 1) figures.retried += 1;
    figures.probes += row?.probes ?? 0;
    if (row?.state === 'sent') figures.sent += 1;
    // Right for a mail: a mail server can't be asked, and a third copy would be too many. Whether it arrived is checked above.
    else if (row?.state === 'parked' && effect.destination === 'email') {
      figures.parkedMails += 1;
      findings.note('left to a person, who may have it already', describeEffect(effect, rows));
    } else if (row?.state === 'failed' || row?.state === 'parked' || row?.state === 'skipped') {
      figures.failed += 1;
      findings.violation(`given up (${row.state})`, describeEffect(effect, rows));
    } else {
      figures.unsettled += 1;
      findings.violation(
        `not settled in the ledger (${row?.state ?? 'no row'})`,
        describeEffect(effect, rows),
      );
    }
  }
  if (total !== effects.length) {
    findings.violation('unexpected number of ledger rows', `${total} of ${effects.length}`);
  }
  return figures;
}

/** A meeting's effect with its row. */
function describeEffect({ meeting, destination, key }, rows) {
  const row = rows?.get(key);
  const { state, attempts, probes, reference, cause } = row ?? {};
  const known = row === undefined ? '' : ` ${JSON.stringify({ state, attempts, probes, reference, cause })}`;
  return `${meeting.id} ${destination} ${key.slice(0, 12)}${known}`;
}

function createFindings() {
  const lists = { violations: new Map(), notes: new Map() };
  const add = (list, sentence, what) => list.set(sentence, [...(list.get(sentence) ?? []), what]);
  return {
    violation: (sentence, what) => add(lists.violations, sentence, what),
    note: (sentence, what) => add(lists.notes, sentence, what),
    finish: () => ({ violations: writeAll(lists.violations), notes: writeAll(lists.notes) }),
  };
}

const SHOWN = 5;

function writeAll(list) {
  return [...list].map(([sentence, all]) => {
    const more = all.length > SHOWN ? `\n    and ${all.length - SHOWN} more` : '';
    const shown = all.slice(0, SHOWN).map((what) => `\n    ${what}`);
    return `${sentence}: ${all.length}${shown.join('')}${more}`;
  });
}

/** What of the run itself was not as it should be, in sentences: a run that was harmless proves nothing. */
export function checkRun({ plan, strikes, workers, exitCodes, openJobs, faults, figures }) {
  const violations = [];
  const expect = (isSo, sentence) => {
    if (!isSo) violations.push(sentence);
  };
  const { kills, restarts, freezes } = strikes.counts;
  expect(kills === plan.killings.length, `${kills} of ${plan.killings.length} workers were killed`);
  expect(freezes === plan.freezings.length, `${freezes} of ${plan.freezings.length} workers were frozen`);
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

const AT_ONCE = 50;

/** What the ledger knows of each effect, by its key, and how many effects it knows at all. */
export async function readRows(backend, effects) {
  const ledger = await openLedger(backend);
  try {
    const rows = new Map();
    for (let from = 0; from < effects.length; from += AT_ONCE) {
      await Promise.all(
        effects
          .slice(from, from + AT_ONCE)
          .map(async ({ key }) => rows.set(key, await ledger.read(key, Date.now()))),
      );
    }
    const counts = await ledger.counts();
    return { rows, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  } finally {
    await ledger.close();
  }
}

/** The items of a list by what `read` says of each. `Map.groupBy` needs Node 21. */
function groupBy(list, read) {
  const groups = new Map();
  for (const item of list) {
    const key = read(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
