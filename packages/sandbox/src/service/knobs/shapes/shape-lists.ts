import type { ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';
import { isObject, renameFields, type JsonObject } from './json-value.ts';

/** The page of a search, which is `{total, followups}`. */
export function shapeSearch(
  answer: ServiceAnswer,
  { searchShape, meetingFields }: Pick<Knobs, 'searchShape' | 'meetingFields'>,
): ServiceAnswer {
  if (searchShape === 'followups' && meetingFields === 'observed') return answer;
  return changeJson(answer, ({ total, followups }) => {
    const meetings = meetingFields === 'observed' ? followups : renameItems(followups, specifiedMeeting);
    const shapes = {
      followups: { total, followups: meetings },
      meetings: { total, meetings },
      items: { items: meetings },
      data: { data: { total, items: meetings } },
      bare: meetings,
    };
    return shapes[searchShape];
  });
}

const specifiedMeeting = { id: 'meeting_id', name: 'title', date: 'local_date_time' };

/** The page of tags, which is `{tags, nextCursor}`. */
export function shapeTags(answer: ServiceAnswer, shape: Knobs['tagListShape']): ServiceAnswer {
  if (shape === 'tags') return answer;
  return changeJson(answer, (page) => {
    const { tags, nextCursor } = page;
    return { items: { items: tags, next_cursor: nextCursor }, data: { data: page }, bare: tags }[shape];
  });
}

/** The answer to a new tag, which is `{tag, created}`. */
export function shapeCreatedTag(answer: ServiceAnswer, shape: Knobs['tagAnswer']): ServiceAnswer {
  if (shape === 'tag') return answer;
  return changeJson(answer, ({ tag }) => (shape === 'data' ? { data: tag } : tag));
}

/** The list of custom templates, which is `{templates}`. */
export function shapeTemplates(
  answer: ServiceAnswer,
  { templateListShape, templateFields }: Pick<Knobs, 'templateListShape' | 'templateFields'>,
): ServiceAnswer {
  if (templateListShape === 'templates' && templateFields === 'id_and_name') return answer;
  return changeJson(answer, ({ templates }) => {
    const items = shapeTemplateItems(templates, templateFields);
    return templateListShape === 'bare' ? items : { [templateListShape]: items };
  });
}

function shapeTemplateItems(templates: unknown, fields: Knobs['templateFields']): unknown {
  if (fields === 'id_and_name') return templates;
  if (fields === 'specified') return renameItems(templates, { id: 'template_id', name: 'template_name' });
  const more = {
    description: null,
    is_default: false,
    created_at: '2026-01-12T09:30:00Z',
    entities: [{ name: 'summary' }],
  };
  return mapItems(templates, (template) => ({ ...template, ...more }));
}

function renameItems(items: unknown, names: Readonly<Record<string, string>>): unknown {
  return mapItems(items, (item) => renameFields(item, names));
}

function mapItems(items: unknown, change: (item: JsonObject) => JsonObject): unknown {
  return Array.isArray(items) ? items.map((item: unknown) => (isObject(item) ? change(item) : item)) : items;
}

/** Errors are not lists: they have a shape of their own. */
function changeJson(answer: ServiceAnswer, change: (json: JsonObject) => unknown): ServiceAnswer {
  if (answer.status >= 300 || !('json' in answer) || !isObject(answer.json)) return answer;
  return { ...answer, json: change(answer.json) };
}
