import type { Express } from 'express';

/** What a stranger may know: no endpoint, no version, nothing of the settings. */
const openFacts = {
  this: 'an Aftermeet receiver: it takes the webhooks that follow a meeting',
  deliveries: 'POST /hooks/<endpoint>',
  health: 'GET /healthz',
} as const;
const managementFacts = {
  this: 'the admin address of an Aftermeet receiver',
  console: '/console',
  health: 'GET /healthz',
} as const;

/** `GET /`, for who has the address and wonders what is there: text, or JSON where that is asked for. */
export function addFrontPage(app: Express, isManagementAlone: boolean): void {
  const facts = isManagementAlone ? managementFacts : openFacts;
  const text = Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
  app.get('/', (_request, response) => {
    const sendText = (): void => void response.type('text/plain').send(text);
    response.format({
      'text/plain': sendText,
      'application/json': () => response.json(facts),
      default: sendText,
    });
  });
}
