import type { CallPace } from '../stand-ins/call-pace.ts';
import type { Call } from '../stand-ins/create-stand-in-app.ts';
import { notionErrors } from './notion-error-codes.ts';
import type { NotionKnobs } from './notion-knobs.ts';
import { refuseNotionBody, refuseNotionCall, type NotionRefusal } from './notion-refusal.ts';
import type { NotionRoute } from './notion-route.ts';

const oldestVersion = '2025-09-03';
const windowMs = 60_000;

export interface CallerRules {
  /** The one token that is taken; undefined: any. */
  readonly token: string | undefined;
  readonly knobs: NotionKnobs;
  readonly pace: CallPace;
}

/** Who calls, in which version, how often, and whether they may: in this order, as Notion asks. */
export function checkCaller(call: Call, route: NotionRoute, rules: CallerRules): NotionRefusal | undefined {
  const token = /^Bearer (\S+)$/i.exec(call.header('authorization') ?? '')?.[1];
  const isWrong = token === undefined || (rules.token !== undefined && token !== rules.token);
  if (isWrong || rules.knobs.token === 'revoked') return refuse('unauthorized');
  return (
    checkVersion(call.header('notion-version')) ??
    checkPace(token, rules) ??
    (route.needs === undefined || rules.knobs.capabilities.includes(route.needs)
      ? undefined
      : refuse('restricted_resource'))
  );
}

function refuse(code: 'unauthorized' | 'missing_version' | 'restricted_resource'): NotionRefusal {
  const { status, message } = notionErrors[code];
  return refuseNotionCall(status, code, message);
}

function checkVersion(version: string | undefined): NotionRefusal | undefined {
  if (version === undefined) return refuse('missing_version');
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= oldestVersion
    ? undefined
    : refuseNotionBody(
        `Notion-Version header failed validation: this stand-in plays ${oldestVersion} and later.`,
      );
}

/** A budget for each connection and minute: https://developers.notion.com/reference/request-limits */
function checkPace(token: string, { knobs, pace }: CallerRules): NotionRefusal | undefined {
  const { requests_per_minute: limit } = knobs;
  const waitSeconds = limit === null ? 0 : pace.take(token, limit, windowMs);
  if (waitSeconds === 0) return undefined;
  return {
    refused: true,
    code: 'rate_limited',
    ...notionErrors.rate_limited,
    retryAfterSeconds: waitSeconds,
    additionalData: { rate_limit_reason: 'public_api_request_rate_limit' },
  };
}
