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
const NO_ANSWER = 'The sandbox does not answer. This page asks again every two seconds.';

/** The buttons that the control routes have. */
let actions = [];
/** What each list shows. */
const drawn = new Map();

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

/** The buttons of the table of actions for a meeting, a delivery or a place of the page. */
function actionButtons(of, id = '', state) {
  return actions
    .filter(
      (action) => action.of === of && (state === undefined || (action.states ?? [state]).includes(state)),
    )
    .map(({ label, route, body = {} }) => {
      const [method, path] = route.split(' ');
      return button(label, () => void change(method, path.replace(':id', encodeURIComponent(id)), body));
    });
}

const tones = {
  new: 'good',
  processed: 'good',
  delivered: 'good',
  failed: 'bad',
  given_up: 'bad',
  dropped: 'bad',
};

function card(title, state, facts, buttons = []) {
  const made = element('article', undefined, 'card');
  const head = element('p', undefined, 'row');
  head.append(element('span', title, 'title'));
  if (state) head.append(element('span', state.replace('_', ' '), `pill end ${tones[state] ?? 'wait'}`));
  made.append(head, ...facts.filter(Boolean).map((fact) => element('p', fact, 'small soft')));
  if (buttons.length > 0) {
    const row = element('p', undefined, 'buttons');
    row.append(...buttons);
    made.append(row);
  }
  return made;
}

/** Draws a list again where it has changed, so that what a person reads or presses stays. */
function showList(id, items, describe) {
  const wanted = find('filter').value.trim().toLowerCase();
  const text = JSON.stringify([items, wanted]);
  if (drawn.get(id) === text) return;
  drawn.set(id, text);
  const found = items.filter((item) =>
    JSON.stringify(item)
      .toLowerCase()
      .includes(id === 'faults' ? '' : wanted),
  );
  const shown = found.slice(0, MAX_SHOWN).map(describe);
  const rest = found.length - shown.length;
  if (rest > 0) shown.push(element('p', `${rest} more: GET /_sandbox/${id}`, 'soft'));
  const none = element('p', items.length > 0 ? 'None has that.' : 'None yet.', 'soft');
  find(id).replaceChildren(...(shown.length > 0 ? shown : [none]));
}

/** Minutes are enough for people. */
function when(iso) {
  return `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function describeMeeting(meeting) {
  return card(
    meeting.title,
    meeting.status,
    [
      `${when(meeting.local_date_time)} · ${meeting.source} · ${meeting.meeting_id}`,
      meeting.cron && `Series: ${meeting.cron}`,
      meeting.next_change_at && `Next change: ${when(meeting.next_change_at)}`,
    ],
    actionButtons('meeting', meeting.meeting_id, meeting.status),
  );
}

function describeDelivery(delivery) {
  const last = delivery.attempts.at(-1);
  return card(
    delivery.event,
    delivery.state,
    [
      `to ${delivery.receiver} · ${delivery.isSigned ? 'signed' : 'not signed'} · ${delivery.id}`,
      last && `Attempt ${delivery.attempts.length}: ${last.status ?? last.error} in ${last.elapsedMs} ms`,
      delivery.nextAttemptAt && `Next attempt: ${when(delivery.nextAttemptAt)}`,
      delivery.fault && `Fault: ${delivery.fault}`,
    ],
    actionButtons('delivery', delivery.id, delivery.state),
  );
}

function describeFault({ id, kind, on, times, happened, ...details }) {
  return card(
    `${kind} on ${on}`,
    undefined,
    [
      `${times === null ? 'always' : `${times} times`}, happened ${happened} · ${JSON.stringify(details)} · ${id}`,
    ],
    [button('Remove', () => void change('DELETE', `/faults/${encodeURIComponent(id)}`))],
  );
}

/** Shows the state; while the sandbox does not answer, it says so and asks again. */
async function refresh() {
  try {
    await showState();
    if (find('message').textContent === NO_ANSWER) find('message').textContent = '';
  } catch {
    find('message').textContent = NO_ANSWER;
  }
}

async function showState() {
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

/** The fields of the table of actions, above what the form has already. */
function drawForm(form, route, fields) {
  const labels = fields.map(({ name, help, input = 'text' }) => {
    const label = element('label', `${help.slice(0, 1).toUpperCase()}${help.slice(1)} `);
    const autocomplete = input === 'password' ? 'new-password' : 'off';
    label.append(Object.assign(element('input'), { name, type: input, autocomplete }));
    return label;
  });
  form.prepend(...labels);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void change(...route.split(' '), readForm(form));
  });
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
  actions = about.actions;
  find('about').textContent = `Base address ${about.base_url}`;
  showDefaultReceiver(about.default_receiver);
  for (const { label, url } of links.filter((link) => /^https?:/.test(link.url))) {
    const link = element('a', label);
    link.href = url;
    find('links').append(link);
    find('links').hidden = false;
  }
  for (const place of ['clock', 'meetings', 'options']) {
    find(`${place}-buttons`).append(...actionButtons(place));
  }
  const { kind, on } = find('fault').elements;
  kind.append(...faults.map(({ label }, index) => new Option(label, String(index))));
  on.append(...['any', ...targets].map((target) => new Option(target)));
  find('fault').addEventListener('submit', planFault);
  for (const { id, route, fields } of about.forms) drawForm(find(id), route, fields);
  const own = find('own');
  own.elements.json.value = JSON.stringify(about.example_meeting, undefined, 2);
  own.querySelector('[type=file]').addEventListener('change', (event) => void showFile(event));
  own.addEventListener('submit', (event) => void addOwnMeeting(event));
  find('reset').addEventListener('click', () => void change('POST', '/reset', {}));
  find('filter').addEventListener('input', () => void refresh());
  await refresh();
  setInterval(() => void refresh(), REFRESH_MS);
}

void start();
