import { suggestName } from '@aftermeet/contract';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import { describeRequestFault, refuseUnreadBody } from '../web/guards.ts';
import {
  type Argument,
  type Arguments,
  type ControlAction,
  ControlRefusal,
  type ServerName,
  refuse,
  type Servers,
  type Values,
} from './action.ts';
import { controlActions } from './actions.ts';

/** A meeting of one's own may have a long transcript. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Adds the routes of all actions of this place, and what other paths are answered. The caller guards the router. */
export function mountActions<At extends ServerName>(router: Router, place: At, server: Servers[At]): void {
  router.use(express.json({ limit: MAX_BODY_BYTES }), ...refuseUnreadBody);
  for (const action of controlActions) {
    const { route, at = ['service'], status = 200 } = action;
    if (!at.includes(place)) continue;
    const { method, path } = splitRoute(route);
    router.route(path)[method]((request: Request, response: Response) => {
      const body: unknown = request.body ?? {};
      response.status(status).json(action.run(server, readValues(action, request.params, body), body));
    });
  }
  router.use((_request, response) => {
    const message = `This ${place === 'service' ? 'sandbox' : 'emulator'} has no such control route.`;
    response.status(404).json({ code: 'NOT_FOUND', message });
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const fault = describeRequestFault(error, '8 MiB');
    if (error instanceof ControlRefusal) response.status(error.status).json(error.body);
    else if (fault === undefined) next(error);
    else response.status(400).json({ code: 'INVALID_REQUEST', message: fault.message });
  });
}

function splitRoute(route: ControlAction['route']) {
  const [method = '', path = ''] = route.split(' ');
  const verbs = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;
  return { method: verbs[method as keyof typeof verbs], path };
}

/** The values of the arguments, from path and body. Throws a refusal that names the first wrong field. */
function readValues(action: ControlAction, path: object, body: unknown): Values<Arguments> {
  const { arguments: known = {}, takesBody = false } = action;
  if (takesBody) return { ...path };
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refuse('The body: must be an object.');
  const inBody = Object.keys(known).filter((name) => !Object.hasOwn(path, name));
  const unknown = Object.keys(body).find((name) => !inBody.includes(name));
  if (unknown !== undefined) {
    const hint = inBody.length === 0 ? 'it takes none' : suggestName(unknown, inBody);
    throw refuse(`The body: has no field of this name; ${hint}.`);
  }
  for (const name of inBody) {
    const argument = known[name];
    const words = argument && describeWrong(argument, Reflect.get(body, name));
    if (words !== undefined) throw refuse(`${name}: must be ${words}.`);
  }
  return { ...path, ...body };
}

/** What a wrong value must be, as the schema of its argument has it; undefined if it is right. */
function describeWrong(argument: Argument, value: unknown): string | undefined {
  const { flags, type = 'text', choices, orNull, rule } = argument;
  if (value === undefined) return flags.startsWith('<') ? (rule?.words ?? typeWords[type]) : undefined;
  if (value === null && orNull !== undefined) return undefined;
  if (choices?.some((choice) => choice === value) === false) return `one of ${choices.join(', ')}`;
  if (!isOfType[type](value)) return rule?.words ?? typeWords[type];
  return rule === undefined || rule.accepts(value) ? undefined : rule.words;
}

const isNumber = (value: unknown): boolean => typeof value === 'number';

const isOfType: Readonly<Record<NonNullable<Argument['type']>, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: isNumber,
  seconds: isNumber,
  flag: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const typeWords: Readonly<Record<NonNullable<Argument['type']>, string>> = {
  text: 'text',
  number: 'a number',
  seconds: 'a number of seconds',
  flag: 'true or false',
  list: 'a list of texts',
  object: 'an object',
};
