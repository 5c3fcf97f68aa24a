// The page of the sandbox: shows what the control routes answer, and calls them. All of it is shown as text.

/** Faults without further settings, or with usual ones. */
const faults = [
  { label: 'latency of 3 s', kind: 'latency', ms: 3000 },
  { label: 'status 429', kind: 'status', status: 429, retry_after_seconds: 5 },
  { label: 'status 500', kind: 'status', status: 500 },
  { label: 'status 503', kind: 'status', status: 503 },
  ...['reset', 'empty', 'garbage', 'hang', 'drop_after', 'cut'].map((kind) => ({ label: kind, kind })),
  { label: 'drip', kind: 'drip', ms: 100 },
  ...['duplicate', 'reorder', 'bad_signature', 'drop'].map((kind) => ({
    label: kind,
    kind,
    isOfDelivery: true,
  })),
  { label: 'stale_timestamp', kind: 'stale_timestamp', seconds: 600, isOfDelivery: true },
];

const REFRESH_MS = 2000;
const MAX_SHOWN = 50;

const find = (id) => document.getElementById(id);

async function call(method, path, body) {
  const response = await fetch(`/_sandbox${path}`, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.message), { problems: answer.problems });
  return answer;
}

/** Runs a change and shows the state after it, or why it was refused. */
async function change(method, path, body) {
  try {
    await call(method, path, body);
    find('message').textContent = '';
  } catch (error) {
    find('message').textContent = error.message;
  }
  await refresh();
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function button(text, act) {
  const made = element('button', text);
  made.addEventListener('click', act);
  return made;
}

function card(title, facts, buttons = []) {
  const made = element('article');
  const row = element('p', undefined, 'row');
  row.append(...buttons);
  made.append(
    element('strong', title),
    ...facts.filter(Boolean).map((fact) => element('p', fact, 'soft')),
    row,
  );
  return made;
}

/** The newest first. */
function showList(id, items, describe) {
  const shown = items.slice(-MAX_SHOWN).toReversed().map(describe);
  const rest = items.length - shown.length;
  if (rest > 0) shown.push(element('p', `${rest} more: GET /_sandbox/${id}`, 'soft'));
  find(id).replaceChildren(...(shown.length > 0 ? shown : [element('p', 'None yet.', 'soft')]));
}

function describeMeeting(meeting) {
  const path = `/meetings/${encodeURIComponent(meeting.meeting_id)}`;
  return card(
    meeting.title,
    [
      `${meeting.status} · ${meeting.local_date_time} · ${meeting.source} · ${meeting.meeting_id}`,
      meeting.cron && `Series: ${meeting.cron}`,
      meeting.next_change_at && `Next change: ${meeting.next_change_at}`,
    ],
    [
      button('Complete', () => void change('POST', `${path}/complete`, {})),
      button('Complete, empty', () => void change('POST', `${path}/complete`, { is_transcript_empty: true })),
      button('Fail', () => void change('POST', `${path}/fail`, {})),
    ],
  );
}

function describeDelivery(delivery) {
  const last = delivery.attempts.at(-1);
  return card(
    `${delivery.event}: ${delivery.state}`,
    [
      `to ${delivery.receiver} · ${delivery.isSigned ? 'signed' : 'not signed'} · ${delivery.id}`,
      last && `Attempt ${delivery.attempts.length}: ${last.status ?? last.error} in ${last.elapsedMs} ms`,
      delivery.nextAttemptAt && `Next attempt: ${delivery.nextAttemptAt}`,
      delivery.fault && `Fault: ${delivery.fault}`,
    ],
    [
      button('Deliver again', () =>
        change('POST', `/deliveries/${encodeURIComponent(delivery.id)}/redeliver`, {}),
      ),
    ],
  );
}

function describeFault({ id, kind, on, times, happened, ...details }) {
  return card(
    `${kind} on ${on}`,
    [`${times ?? 'any number of'} times, happened ${happened} · ${JSON.stringify(details)} · ${id}`],
    [button('Remove', () => void change('DELETE', `/faults/${encodeURIComponent(id)}`))],
  );
}

async function refresh() {
  const [clock, { meetings }, { deliveries }, planned, { options }] = await Promise.all(
    ['/clock', '/meetings', '/deliveries', '/faults', '/options'].map((path) => call('GET', path)),
  );
  find('now').textContent = clock.now;
  find('manual').hidden = clock.transitions !== 'manual';
  find('transitions').textContent = `Transitions: ${JSON.stringify(clock.transitions)}`;
  showList('meetings', meetings, describeMeeting);
  showList('deliveries', deliveries, describeDelivery);
  showList('faults', planned.faults, describeFault);
  find('options').textContent = JSON.stringify(options, undefined, 2);
}

function readForm(form) {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
}

function planFault(event) {
  event.preventDefault();
  const { kind: index, on, times } = readForm(event.target);
  const { label: _label, isOfDelivery, ...fault } = faults[Number(index)];
  const target = isOfDelivery ? 'any' : on;
  void change('POST', '/faults', { ...fault, on: target, times: times ? Number(times) : null });
}

/** Puts the text of a chosen file into the text field. */
async function showFile({ target }) {
  const [file] = target.files;
  if (file) target.form.elements.json.value = await file.text();
}

/** Adds the meeting of the text field, or lists all that is wrong with it. */
async function addOwnMeeting(event) {
  event.preventDefault();
  const result = find('own-result');
  try {
    const meeting = JSON.parse(event.target.elements.json.value);
    const { meeting_id: id, delivery_id: deliveryId } = await call('POST', '/meetings', meeting);
    const sent = deliveryId ? 'its event is being sent' : 'no event is sent: it has no webhook_url';
    result.replaceChildren(element('p', `Added as ${id}; ${sent}.`, 'soft'));
  } catch (error) {
    const list = element('ul');
    list.append(...(error.problems ?? [error.message]).map((problem) => element('li', problem)));
    result.replaceChildren(list);
  }
  await refresh();
}

function showDefaultReceiver(origin) {
  for (const line of document.querySelectorAll('.default-receiver')) {
    line.hidden = origin === undefined;
    line.textContent = `Without a webhook address, events go to the receiver at ${origin}`;
  }
}

async function start() {
  const about = await call('GET', '/about');
  const { links, call_targets: targets } = about;
  find('about').textContent = `Base address ${about.base_url}`;
  showDefaultReceiver(about.default_receiver);
  for (const { label, url } of links.filter((link) => /^https?:/.test(link.url))) {
    const link = element('a', label);
    link.href = url;
    find('links').append(link);
  }
  const { kind, on } = find('fault').elements;
  kind.append(...faults.map(({ label }, index) => new Option(label, String(index))));
  on.append(...['any', ...targets].map((target) => new Option(target)));
  find('fault').addEventListener('submit', planFault);
  find('record').addEventListener('submit', (event) => {
    event.preventDefault();
    void change('POST', '/recordings', readForm(event.target));
  });
  const own = find('own');
  own.elements.json.value = JSON.stringify(about.example_meeting, undefined, 2);
  own.querySelector('[type=file]').addEventListener('change', (event) => void showFile(event));
  own.addEventListener('submit', (event) => void addOwnMeeting(event));
  for (const advance of document.querySelectorAll('[data-advance]')) {
    advance.addEventListener('click', () => {
      void change('POST', '/clock', { advance_seconds: Number(advance.dataset.advance) });
    });
  }
  find('seed').addEventListener('click', () => void change('POST', '/seed', {}));
  find('reset').addEventListener('click', () => void change('POST', '/reset', {}));
  find('reset-options').addEventListener('click', () => void change('DELETE', '/options'));
  await refresh();
  setInterval(() => void refresh(), REFRESH_MS);
}

void start();
