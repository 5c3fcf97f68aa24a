/**
 * JavaScript functions that reduce a report to what the workflows say of it. Tolerant as the service is loose: the
 * wrapper may be `followup_v2`, `followup`, `report`, `data` or none, and a block a text or an object. Bounded.
 */
export const readReportCode = String.raw`
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value) {
  return Array.isArray(value) ? value : [];
}

function textOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.slice(0, 300).map(textOf).filter(Boolean).join('\n');
  if (!isObject(value)) return '';
  for (const name of ['text', 'summary', 'content', 'value', 'name', 'title', 'speaker']) {
    if (value[name] !== undefined && value[name] !== null) return textOf(value[name]);
  }
  return '';
}

// The name of a person who is given as a name or as an object.
function personOf(value) {
  if (!isObject(value)) return lineOf(value);
  return lineOf(value.name || value.speaker || value.full_name || value.email);
}

function lineOf(value, most = 300) {
  // Control characters and those that turn the direction of writing have no place in one line.
  return textOf(value)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '');
}

function unwrap(given) {
  let found = given;
  if (typeof found === 'string') {
    try {
      found = JSON.parse(found);
    } catch {
      return undefined;
    }
  }
  for (let depth = 0; depth < 4 && isObject(found); depth += 1) {
    const wrapper = ['followup_v2', 'followup', 'report', 'data'].find((name) => isObject(found[name]));
    if (wrapper === undefined) return found;
    const { [wrapper]: inner, ...outer } = found;
    found = { ...outer, ...inner };
  }
  return isObject(found) ? found : undefined;
}

function listBlocks(report) {
  const inTemplates = listOf(report.templates).flatMap((template) =>
    isObject(template) ? listOf(template.entities || template.blocks) : [],
  );
  return [...inTemplates, ...listOf(report.entities)]
    .filter(isObject)
    .map((block) => ({ name: lineOf(block.name).toLowerCase(), value: block.text ?? block.value ?? block.content }));
}

function findBlock(report, blocks, names) {
  for (const name of names) {
    const block = blocks.find((one) => one.name === name && one.value !== undefined && one.value !== null);
    if (block !== undefined) return block.value;
    if (report[name] !== undefined && report[name] !== null) return report[name];
  }
  return undefined;
}

function listItems(value) {
  if (isObject(value)) {
    const list = ['actions', 'tasks', 'decisions', 'items'].map((name) => value[name]).find(Array.isArray);
    return list === undefined ? listItems(textOf(value)) : list;
  }
  if (Array.isArray(value)) return value;
  return textOf(value)
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s*(?:\[[ xX]\]\s*)?/, '').trim())
    .filter(Boolean);
}

function readTask(item) {
  const text = lineOf(isObject(item) ? item.text || item.task || item.title || item.action || item.name : item, 1000);
  if (text === '' || !isObject(item)) return { text, owner: '', due: '' };
  return {
    text,
    owner: personOf(item.assignee || item.owner || item.responsible),
    due: lineOf(item.deadline || item.due || item.due_date, 60),
  };
}

function readReport(given, event) {
  const report = unwrap(given) || {};
  const blocks = listBlocks(report);
  const people = [...listOf(report.participants), ...(listOf(report.participants).length > 0 ? [] : listOf(report.speakers))]
    .slice(0, 100)
    .map((person) => ({ name: personOf(person), email: isObject(person) ? lineOf(person.email) : '' }));
  const named = findBlock(report, blocks, ['summary', 'protocol', 'summary_agenda', 'team_sync_agenda']);
  // Other templates name their texts otherwise: the first that is no list of tasks or decisions says most.
  const lists = ['tasks', 'action_items', 'actions', 'decisions', 'decision'];
  const summary = named ?? blocks.find(({ name, value }) => !lists.includes(name) && textOf(value).trim() !== '')?.value;
  return {
    meetingId: event.meeting_id,
    title: lineOf(report.name || report.title || event.title) || 'Untitled meeting',
    startedAt: lineOf(report.date || report.started_at || report.local_date_time, 60),
    durationSeconds: typeof report.duration === 'number' && report.duration >= 0 ? report.duration : undefined,
    source: lineOf(report.source, 60),
    // An address in the place of a name stays out of what is shown.
    people: [...new Set(people.map(({ name }) => name).filter((name) => name !== '' && !name.includes('@')))],
    attendees: people,
    tags: listOf(report.tags).slice(0, 100).map((tag) => lineOf(tag)),
    templates: listOf(report.templates).filter(isObject).slice(0, 100).flatMap((one) => [lineOf(one.name), lineOf(one.id)]),
    summary: textOf(summary).slice(0, 20000),
    decisions: listItems(findBlock(report, blocks, ['decisions', 'decision'])).slice(0, 100).map((one) => lineOf(one, 1000)).filter(Boolean),
    tasks: listItems(findBlock(report, blocks, ['tasks', 'action_items', 'actions'])).slice(0, 300).map(readTask).filter(({ text }) => text !== ''),
    isTranscriptEmpty: report.is_transcript_empty === true || event.is_transcript_empty === true,
  };
}
`;
